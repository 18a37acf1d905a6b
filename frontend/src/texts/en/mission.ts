export const mission = {
  /** By the ids of the world board; a mission that is not here has the server's words. */
  texts: {
    M01: "Conquer Asia and South America.",
    M02: "Conquer Asia and Africa.",
    M03: "Conquer North America and Africa.",
    M04: "Conquer North America and Australia.",
    M05: "Conquer Europe, South America and a third continent of your choice.",
    M06: "Conquer Europe, Australia and a third continent of your choice.",
    M07: "Hold 18 territories with at least two armies on each.",
    M08: "Hold 24 territories.",
    M09: "Destroy the red armies.",
    M10: "Destroy the blue armies.",
    M11: "Destroy the green armies.",
    M12: "Destroy the yellow armies.",
    M13: "Destroy the grey armies.",
    M14: "Destroy the black armies.",
  } as Record<string, string>,
  /** Someone else destroyed the target, or it is the own colour. */
  outOfReach: (mission: string, needed: number) => `${mission} That is out of reach: hold ${needed} territories instead.`,
  yours: "Your mission",
  onlyYou: "Only you can see it.",
  hold: "Hold to reveal",
  holdHint: "Enter shows it, and hides it again.",
  secret: "Secret mission",
  complete: "Complete",
  reveal: "Reveal and win",
};
