export const help = {
  steps: [
    "Reinforce: tap your territories, one army for each tap.",
    "Attack: tap your territory, then a target. Each target shows your chance. Tap it again to attack.",
    "After a capture, say how many armies move in.",
    "Fortify: move armies once from one territory of yours to another, then end your turn.",
  ],
  keys: "Keys",
  keysHint: "They act while the map has the focus; Settings turns single keys off.",
  list: [
    ["← ↑ → ↓", "to the neighbour in that direction"],
    ["N", "next territory that can act"],
    ["T", "next target"],
    ["↵", "choose; attack; move in"],
    ["R", "roll once"],
    ["+ −", "one army more or less"],
    ["[ ]", "stop the attack earlier or later"],
    ["E", "end the phase"],
    ["Z", "undo"],
    ["M .", "whole map; current decision"],
    ["Esc", "choose nothing"],
  ] as [string, string][],
};
