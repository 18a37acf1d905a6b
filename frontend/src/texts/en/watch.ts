export const watch = {
  title: "Games to watch",
  none: "No public game is running.",
  watchTable: (title: string) => `Watch ${title}`,
};
