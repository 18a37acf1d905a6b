/** When an attack stops by itself. */

export type Stop =
  | { readonly kind: "once" }
  | { readonly kind: "left"; readonly armies: number }
  | { readonly kind: "odds"; readonly least: number }
  | { readonly kind: "end" };

export const DEFAULT_STOP: Stop = { kind: "left", armies: 3 };
export const LEAST_ODDS = 60; // per cent

/** The order of an attack with a stop. */
export function attackOrder(source: string, target: string, stop: Stop): string {
  const clause = stopClause(stop);
  return `ATTACK ${source} -> ${target}${clause === "" ? "" : ` ${clause}`}`;
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
