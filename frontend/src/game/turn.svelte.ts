/** What a player is about to do: taps on the map become a draft, a selection, and then orders. */

import type { Arrow, Holdings, Marks } from "../map/types";
import type { ActionRange, Game } from "../state/game.svelte";
import { actionText, Choices, placementLines } from "./choices";
import { holdingsOf } from "./holdings";
import { chancesQuestion, outcomesQuestion } from "./odds";
import type { StopOutcome } from "./outcomes";
import { attackOrder, DEFAULT_STOP, fittingStop, LEAST_ODDS, type Stop, type StopKind } from "./stop";
import { placedArmies } from "./sealed_placement";

/** What a tap on the map means now. */
export type Mode =
  | "watch"
  | "claim"
  | "capital"
  | "place-one"
  | "place"
  | "attack"
  | "occupy"
  | "fortify"
  | "airfield"
  | "other";

export class Turn {
  readonly game: Game;
  /** Where an attack or a move starts, and where it goes. */
  source = $state<string | null>(null);
  target = $state<string | null>(null);
  /** Armies placed but not sent, by territory. */
  placed = $state<Record<string, number>>({});
  /** The draft before each of its changes, for undo. */
  #drafts: Readonly<Record<string, number>>[] = [];
  /** Orders written but not sent. */
  written = $state("");
  /** The stop rule stays from battle to battle, also where it does not fit one of them. */
  stop = $state<Stop>(DEFAULT_STOP);
  /** The number of armies of the last stop that has one. */
  armiesLeft = $state<number>(DEFAULT_STOP.armies);
  /** The objective that is claimed, while the place of its airfield is asked. */
  claiming = $state<string | null>(null);
  /** How many armies move in or are moved, while that is asked. */
  moving = $state(0);
  /** Chances of the selected source's targets. */
  chances = $state.raw<Readonly<Record<string, number>>>({});
  /** What the selected attack may lead to, for every place where it could stop. */
  outcomes = $state.raw<readonly StopOutcome[]>([]);
  #choices = $derived.by(() => new Choices(this.game.legal));

  constructor(game: Game) {
    this.game = game;
  }

  get choices(): Choices {
    return this.#choices;
  }

  get mode(): Mode {
    const about = this.game.legal?.about ?? null;
    if (!this.game.deciding || about === null) return "watch";
    const { choices } = this;
    if (choices.has("occupy")) return "occupy";
    if (choices.has("claim")) return "claim";
    if (choices.has("place_capital")) return "capital";
    if (choices.has("place")) return this.#placesOneByOne ? "place-one" : "place";
    if (choices.has("attack")) return "attack";
    if (choices.has("fortify")) return "fortify";
    if (this.airfields.size > 0) return "airfield";
    return "other";
  }

  /** In the set-up armies are placed in turns, so many at a time. */
  get #placesOneByOne(): boolean {
    const most = Math.max(...this.choices.of("place").map((range) => range.most ?? 1));
    return most < this.toPlace;
  }

  /** Where the airfield of the chosen objective may stand. */
  get airfields(): ReadonlySet<string> {
    const places = this.choices.of("claim_objective").filter((range) => range.action.objective === this.claiming);
    return new Set(places.flatMap((range) => (typeof range.action.airfield === "string" ? [range.action.airfield] : [])));
  }

  get toPlace(): number {
    return this.game.legal?.about?.to_place ?? 0;
  }

  /** Armies that the draft leaves to place. */
  get left(): number {
    return this.toPlace - Object.values(this.placed).reduce((sum, armies) => sum + armies, 0);
  }

  /** What stands on the map, the draft included. */
  get holdings(): Holdings {
    return holdingsOf(this.game.view?.position.territories ?? {});
  }

  get marks(): Marks {
    const { mode, choices, source, target } = this;
    const arrows: Arrow[] = [];
    if (source !== null && target !== null) {
      const kind = mode === "attack" ? "attack" : "move";
      const armies = this.holdings[source]?.armies ?? 1;
      arrows.push({ from: source, to: target, kind, armies });
    }
    switch (mode) {
      case "claim":
        return { selectable: choices.targets("claim") };
      case "capital":
        return { selectable: choices.targets("place_capital"), selected: target };
      case "airfield":
        return { selectable: this.airfields, selected: target };
      case "place-one":
        return { selectable: choices.targets("place") };
      case "place":
        return { selectable: choices.targets("place"), selected: target, placed: this.placed };
      case "attack":
      case "fortify":
        return source === null
          ? { selectable: choices.sources(mode) }
          : { selected: source, targets: this.#targets(source), selectable: choices.sources(mode), arrows };
      case "occupy": {
        const about = this.game.legal?.about?.occupation;
        const arrows = about == null ? [] : [{ from: about.source, to: about.target, kind: "move" as const }];
        return about == null ? {} : { selected: about.target, arrows, placed: { [about.target]: this.moving } };
      }
      default: // a sealed placement stays in sight until it is opened
        return this.hidden ? { placed: placedArmies(this.game.dice?.placed ?? "") } : {};
    }
  }

  /** By target: the chance to take it, null until it is known; undefined where nothing is at stake. */
  #targets(source: string): Record<string, number | null | undefined> {
    const mode = this.mode;
    const chance = (name: string) => (mode === "attack" ? (this.chances[name] ?? null) : undefined);
    return Object.fromEntries([...this.choices.targets(mode, source)].map((name) => [name, chance(name)]));
  }

  /** A tap on a territory, or on the sea. */
  async tap(territory: string | null): Promise<void> {
    if (territory === null) {
      this.deselect();
      return;
    }
    const { mode, choices } = this;
    if (mode === "claim" && choices.targets("claim").has(territory)) {
      await this.#act("claim", null, territory);
    } else if (mode === "place-one" && choices.targets("place").has(territory)) {
      await this.#act("place", null, territory);
    } else if (mode === "capital" && choices.targets("place_capital").has(territory)) {
      this.target = territory;
    } else if (mode === "airfield" && this.airfields.has(territory)) {
      this.target = territory;
    } else if (mode === "place" && choices.targets("place").has(territory)) {
      this.target = territory;
      this.place(territory, 1);
    } else if (mode === "occupy") {
      if (territory === this.game.legal?.about?.occupation?.target) await this.confirm();
    } else if (mode === "attack" || mode === "fortify") {
      this.#tapPair(mode, territory);
    }
  }

  #tapPair(mode: "attack" | "fortify", territory: string): void {
    if (this.source !== null && this.choices.targets(mode, this.source).has(territory)) {
      if (territory === this.target && mode === "attack") void this.attack();
      else this.aim(this.source, territory);
    } else if (this.choices.sources(mode).has(territory)) {
      this.source = territory === this.source ? null : territory;
      this.target = null;
      this.chances = {};
    } else this.deselect();
  }

  /** Choose both ends at once, as a drag on the map does. */
  aim(source: string, target: string): void {
    const { mode } = this;
    if (mode !== "attack" && mode !== "fortify") return;
    const ranges = this.choices.between(mode, source, target);
    if (ranges.length === 0) return;
    this.source = source;
    this.target = target;
    this.moving = Math.max(...ranges.map((range) => range.most ?? 0));
  }

  /** Whether nothing can start any more at what is selected. */
  get stale(): boolean {
    const { mode, source } = this;
    if (source === null || this.game.sentAt !== null) return false;
    return (mode !== "attack" && mode !== "fortify") || !this.choices.sources(mode).has(source);
  }

  /** Take one step of a choice back: the target first, then where it starts; false where nothing is chosen. */
  stepBack(): boolean {
    if (this.source === null && this.target === null && this.claiming === null) return false;
    if (this.target !== null) this.target = null;
    else this.deselect();
    return true;
  }

  deselect(): void {
    this.source = null;
    this.target = null;
    this.claiming = null;
    this.chances = {};
  }

  /** One army more or less, on a territory or moving: what + and − do on the map. */
  step(territory: string, armies: number): void {
    if (this.mode === "place" && this.choices.targets("place").has(territory)) this.place(territory, armies);
    else if (this.mode === "occupy") {
      const limits = this.game.legal?.about?.occupation;
      if (limits != null) this.moving = Math.min(limits.highest, Math.max(limits.lowest, this.moving + armies));
    } else if (this.mode === "fortify" && this.source !== null && this.target !== null) {
      const range = this.choices.between("fortify", this.source, this.target)[0];
      this.moving = Math.min(range?.most ?? 1, Math.max(range?.least ?? 1, this.moving + armies));
    }
  }

  /** The attack that is chosen; null where there is none. */
  get battle(): { readonly source: string; readonly target: string } | null {
    const { mode, source, target } = this;
    return mode === "attack" && source !== null && target !== null ? { source, target } : null;
  }

  /** Choose a stop rule, with the number that it had last. */
  chooseStop(kind: StopKind): void {
    this.stop = kind === "left" ? { kind, armies: this.armiesLeft } : kind === "odds" ? { kind, least: LEAST_ODDS } : { kind };
  }

  /** Stop attacks with so many armies left. */
  stopAt(armies: number): void {
    this.armiesLeft = Math.max(1, armies);
    this.chooseStop("left");
  }

  /** Stop the attack earlier (with more armies left) or later. */
  moveStop(armies: number): void {
    this.stopAt((this.fittingStop.kind === "left" ? this.fittingStop.armies : 1) + armies);
  }

  /** Put armies of the draft on a territory, or (below zero) take them back. */
  place(territory: string, armies: number): void {
    this.#change(() => this.#put(territory, armies));
  }

  /** Put all armies of the draft on one territory. */
  placeAll(territory: string): void {
    this.#change(() => {
      this.placed = {};
      this.#put(territory, this.toPlace);
    });
  }

  /** Change the draft in a way that undo takes back in one step. */
  #change(change: () => void): void {
    const before = this.placed;
    change();
    if (JSON.stringify(before) !== JSON.stringify(this.placed)) this.#drafts.push({ ...before });
  }

  #put(territory: string, armies: number): void {
    const now = this.placed[territory] ?? 0;
    const next = Math.max(0, Math.min(now + armies, now + this.left));
    const placed = { ...this.placed, [territory]: next };
    if (next === 0) delete placed[territory];
    this.placed = placed;
  }

  /** Take a draft up again, as far as it still fits. */
  restore(placed: Readonly<Record<string, number>>, written: string): void {
    this.written = written;
    const places = this.choices.targets("place");
    for (const [territory, armies] of Object.entries(placed)) if (places.has(territory)) this.#put(territory, armies);
  }

  /** Share what is left evenly among the own territories that face an enemy. */
  spread(among: readonly string[]): void {
    const fitting = among.filter((name) => this.choices.targets("place").has(name));
    this.#change(() => {
      for (let turn = 0; this.left > 0 && fitting.length > 0; turn++) this.#put(fitting[turn % fitting.length]!, 1);
    });
  }

  /** The draft as orders. */
  get deployOrder(): string {
    const parts = Object.entries(this.placed).map(([name, armies]) => `${armies} ${name}`);
    return parts.length === 0 ? "" : `DEPLOY ${parts.join(", ")}`;
  }

  /** All place at once, and nobody sees the others' armies until everybody has. */
  get hidden(): boolean {
    return this.game.view?.phase === "sealed";
  }

  /** The draft as actions, one a line; null where it is no whole placement that the rules allow. */
  get placedLines(): string | null {
    return this.left === 0 ? placementLines(this.choices.of("place"), this.placed) : null;
  }

  /** Send the draft. */
  async deploy(): Promise<boolean> {
    const order = this.deployOrder;
    if (order === "") return true;
    const done = await (this.hidden ? this.game.placeHidden(order, this.placedLines) : this.game.order(order));
    if (done) {
      this.placed = {};
      this.#drafts = [];
      this.target = null;
      // A sealed placement is finished by a decision of its own.
      for (const seal of this.choices.of("seal")) await this.game.act(seal.highest);
    }
    return done;
  }

  /** The selected attack as orders. */
  get attackOrder(): string {
    return this.source === null || this.target === null ? "" : attackOrder(this.source, this.target, this.fittingStop);
  }

  /** The stop rule as far as the attacking armies allow it. */
  get fittingStop(): Stop {
    const armies = this.source === null ? 0 : (this.holdings[this.source]?.armies ?? 0);
    return armies === 0 ? this.stop : fittingStop(this.stop, armies);
  }

  async attack(stop: Stop = this.fittingStop): Promise<void> {
    const { source, target } = this;
    if (source === null || target === null) return;
    // What is selected then, if the territory is held, and if it is taken without a choice.
    const odds = [chancesQuestion(source, this.stop), outcomesQuestion(source, target), chancesQuestion(target, this.stop)];
    await this.game.order(attackOrder(source, target, stop), odds);
    this.#keepSelection(source, target);
  }

  /** After a battle: a captured territory may attack on, a held one can be attacked again. */
  #keepSelection(source: string, target: string): void {
    const { mode, choices } = this;
    if (mode === "attack" && choices.between("attack", source, target).length > 0) return;
    this.target = null;
    if (mode !== "attack") this.source = null;
    else if (choices.sources("attack").has(target)) this.source = target;
    else if (!choices.sources("attack").has(source)) this.source = null;
  }

  /** Move in, and go on from the captured territory. */
  async occupy(armies: number): Promise<void> {
    const range = this.choices.of("occupy")[0];
    const ends = this.game.legal?.about?.occupation;
    const odds = ends == null ? [] : [chancesQuestion(ends.target, this.stop), chancesQuestion(ends.source, this.stop)];
    if (range === undefined || !(await this.game.act(actionText(range, armies), odds))) return;
    if (ends != null) this.#keepSelection(ends.source, ends.target);
  }

  /** A territory was taken: all that may move in, unless the player says otherwise. */
  beginOccupation(): void {
    this.moving = this.game.legal?.about?.occupation?.highest ?? this.moving;
  }

  /** The pending number on the map: armies placed, or armies that move in. */
  async confirm(): Promise<void> {
    const { mode } = this;
    if (mode === "occupy") await this.occupy(this.moving);
    else if (mode === "attack" && this.target !== null) await this.attack();
    else if (mode === "fortify" && this.target !== null) await this.fortify();
    else if (mode === "place" && this.left === 0) await this.deploy();
  }

  /** Whether there is something to take back: what was not sent yet, or by the server's word the last action. */
  get undoable(): boolean {
    return Object.keys(this.placed).length > 0 || this.#drafts.length > 0 || (this.game.view?.undoable ?? false);
  }

  /** Take back what was not sent yet, or the last action. */
  async undo(): Promise<void> {
    if (!this.undoable) return;
    const draft = this.#drafts.pop();
    if (draft !== undefined) this.placed = { ...draft };
    else if (Object.keys(this.placed).length > 0) this.placed = {}; // of an earlier visit
    else {
      this.deselect();
      await this.game.undo();
    }
  }

  async fortify(): Promise<void> {
    if (this.source === null || this.target === null) return;
    const range = this.choices.between("fortify", this.source, this.target)[0];
    if (range === undefined) return;
    if (await this.game.act(actionText(range, this.moving))) this.deselect();
  }

  /** Take an action without a number: ending a phase, declining, trading. */
  async take(range: ActionRange, number: number | null = null): Promise<void> {
    if (await this.game.act(actionText(range, number))) this.deselect();
  }

  async #act(kind: string, source: string | null, target: string): Promise<void> {
    const range = this.choices.between(kind, source, target)[0];
    if (range !== undefined) await this.game.act(range.highest);
  }
}
