/** What keys do on the map, and on the whole page outside of fields; single keys can be switched off. */

import { isDirection, neighbourTowards } from "../map/neighbours";
import type { Board } from "../state/boards.svelte";
import { device } from "../state/device.svelte";
import { NameSearch } from "./name_search";
import type { Turn } from "./turn.svelte";

export interface MapControls {
  readonly turn: Turn;
  readonly board: Board;
  /** Move the keyboard's focus to a territory, and bring it into view. */
  focus(territory: string): void;
  showAll(): void;
  showDecision(): void;
  /** The territory that a key is about where none is chosen: one that was captured. */
  here(): string | null;
  onhelp(): void;
}

export class MapKeys {
  readonly #controls: MapControls;
  readonly #search: NameSearch;
  /** Digits typed one after another make one number. */
  #digits = { territory: "", text: "", at: -Infinity };

  constructor(controls: MapControls) {
    this.#controls = controls;
    this.#search = new NameSearch(() => controls.board.names);
  }

  /** A key while something else than the map has the focus, or nothing: orders act, names do not. */
  pressAnywhere(event: KeyboardEvent): void {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    const { turn } = this.#controls;
    const at = turn.target ?? turn.source ?? this.#controls.here() ?? "";
    if (event.key === "Escape") turn.deselect();
    else if (event.key === "Enter" && !isControl(event.target)) void turn.confirm();
    else if (!this.#command(event, at)) return;
    event.preventDefault();
  }

  press(event: KeyboardEvent, territory: string): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (this.#move(event, territory) || this.#command(event, territory) || this.#jump(event)) event.preventDefault();
  }

  #move(event: KeyboardEvent, territory: string): boolean {
    const { board, focus, turn } = this.#controls;
    if (event.key === "Escape") turn.stepBack();
    else if (isDirection(event.key)) {
      const next = neighbourTowards(board.geometry, board.neighbours.get(territory) ?? [], territory, event.key);
      if (next !== null) focus(next);
    } else return false;
    return true;
  }

  /** A letter goes on with a name that is being typed, else it is a command. */
  #command(event: KeyboardEvent, territory: string): boolean {
    if (!device.choices.keys || this.#search.underway(event.timeStamp)) return false;
    const { turn } = this.#controls;
    const step = event.shiftKey ? -1 : 1;
    if (/^[0-9]$/.test(event.key)) return this.#digit(event, territory);
    switch (event.key.length === 1 ? event.key.toLowerCase() : "") {
      case "+":
        return done(turn.step(territory, 1));
      case "-":
        return done(turn.step(territory, -1));
      case "n":
        return done(this.#next([...(turn.marks.selectable ?? [])], territory, step));
      case "t":
        return done(this.#nextTarget(step));
      case "r":
        return done(turn.target !== null && turn.attack({ kind: "once" }));
      case "[":
        return done(turn.moveStop(1));
      case "]":
        return done(turn.moveStop(-1));
      case "z":
        return done(turn.undo());
      case "e":
        return done(this.#end());
      case "m":
        return done(this.#controls.showAll());
      case ".":
        return done(this.#controls.showDecision());
      case "?":
        return done(this.#controls.onhelp());
      default:
        return false;
    }
  }

  #jump(event: KeyboardEvent): boolean {
    const found = this.#search.type(event.key, event.timeStamp);
    if (found !== null) this.#controls.focus(found);
    return found !== null;
  }

  #digit(event: KeyboardEvent, territory: string): boolean {
    const { turn } = this.#controls;
    if (turn.mode !== "place" && turn.mode !== "occupy" && turn.mode !== "fortify") return false;
    const goesOn = this.#digits.territory === territory && event.timeStamp - this.#digits.at < 1000;
    const text = (goesOn ? this.#digits.text : "") + event.key;
    this.#digits = { territory, text, at: event.timeStamp };
    const now = turn.mode === "place" ? (turn.placed[territory] ?? 0) : turn.moving;
    turn.step(territory, Number(text) - now);
    return true;
  }

  #next(among: readonly string[], from: string, step: number): void {
    const found = among.length === 0 ? undefined : among.at((among.indexOf(from) + step) % among.length);
    if (found !== undefined) this.#controls.focus(found);
  }

  /** The arrow moves to the next target; Enter attacks it. */
  #nextTarget(step: number): void {
    const { turn, focus } = this.#controls;
    const targets = Object.keys(turn.marks.targets ?? {});
    if (turn.source === null || targets.length === 0) return;
    const index = turn.target === null ? (step > 0 ? -1 : 0) : targets.indexOf(turn.target);
    const target = targets.at((index + step) % targets.length)!;
    turn.aim(turn.source, target);
    focus(target);
  }

  #end(): void {
    const { turn } = this.#controls;
    const range = turn.choices.of("end_attack")[0] ?? turn.choices.of("end_turn")[0];
    if (range !== undefined) void turn.take(range);
    else if (turn.mode === "place") void turn.confirm();
  }
}

/** Whether keys go into a field, or a dialog has the page. */
function isTyping(target: EventTarget | null): boolean {
  if (document.querySelector("dialog[open]") !== null) return true;
  return target instanceof Element && target.closest("input:not([type=radio], [type=range], [type=checkbox]), textarea, select, [contenteditable=true]") !== null;
}

/** Whether what has the focus does something of its own on Enter. */
function isControl(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("button, a, summary, input, [role=slider], [role=button]") !== null;
}

/** The key is used up, whatever came of it. */
function done(_: unknown): true {
  return true;
}
