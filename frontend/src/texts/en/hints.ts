export const hints = {
  list: {
    yours: "The territories in your colour, with your badge, are yours. The figure counts your armies.",
    place: "Choose a territory of yours to place an army there. Borders with strong neighbours need them most.",
    select: "Now attack: choose a territory of yours with two armies or more.",
    target: "Each target shows your chance to take it. Choose one, then choose it again to attack.",
    end: "Enough? The button below the map ends your attacks. Who has taken a territory draws a card.",
  },
  gotIt: "Got it",
  noMore: "No more hints",
};
