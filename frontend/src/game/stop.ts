/** When an attack stops by itself. */

export type Stop =
  | { readonly kind: "once" }
  | { readonly kind: "left"; readonly armies: number }
  | { readonly kind: "odds"; readonly least: number }
  | { readonly kind: "end" };

/** What a player can choose; a single roll has a button of its own. */
export type StopKind = Exclude<Stop["kind"], "once">;

export const DEFAULT_STOP = { kind: "left", armies: 3 } as const satisfies Stop;
export const LEAST_ODDS = 60; // per cent

/** The order of an attack with a stop; how many armies move in is decided after a capture. */
export function attackOrder(source: string, target: string, stop: Stop): string {
  return ["ATTACK", source, "->", target, stopClause(stop), "ADVANCE ASK"].filter((part) => part !== "").join(" ");
}

/** The stop for a territory with so many armies: at least one roll must be possible before it. */
export function fittingStop(stop: Stop, armies: number): Stop {
  if (stop.kind !== "left") return stop;
  return { kind: "left", armies: Math.max(1, Math.min(stop.armies, armies - 1)) };
}

/** A stop as the order language says it; "" for an attack that goes on to the end. */
export function stopClause(stop: Stop): string {
  switch (stop.kind) {
    case "once":
      return "UNTIL ROUNDS 1";
    case "left":
      return `UNTIL LEFT ${stop.armies}`;
    case "odds":
      return `UNTIL ODDS < ${stop.least}%`;
    case "end":
      return "";
  }
}
