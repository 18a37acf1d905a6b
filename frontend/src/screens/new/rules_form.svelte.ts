/** The rules that somebody chooses for a table: a ruleset, and what differs from its book. */

import { api, type Answer } from "../../api/client";
import type { OptionForm } from "../../state/option_forms";
import { quickOptions } from "../../state/rulesets.svelte";

type Checked = Answer<"/api/v1/rulesets/check", "post">;
export type Options = Readonly<Record<string, string>>;

export class RulesForm {
  ruleset = $state("classic");
  /** What was chosen differently from the book. */
  changed = $state.raw<Options>({});
  /** What the server says of this choice; null until it has answered. */
  checked = $state.raw<Checked | null>(null);
  /** The options of the quick set-up of this ruleset. */
  #quick = $state.raw<Options>({});
  #asked = 0;
  #answer: Promise<void> = Promise.resolve();
  /** When the server has said all of the first choice, or could not. */
  readonly begun: Promise<void>;

  /** Every option with its value, also those that follow from others. */
  readonly values = $derived(new Map(this.checked?.options.map((option) => [option.name, option])));
  readonly count = $derived(Object.keys(this.changed).length);
  readonly possible = $derived(this.checked?.possible ?? true);
  /** The lowest and the highest number of players; null until the server has answered. */
  readonly players = $derived(this.checked?.possible ? this.checked.players : null);

  /** Whether a ruleset that is chosen begins with its quick set-up. */
  #wantsQuick: boolean;

  constructor(ruleset = "classic", changed?: Options, wantsQuick = false) {
    this.#wantsQuick = wantsQuick;
    this.begun = this.choose(ruleset, changed).then(() => this.#answer);
  }

  /** Another ruleset, with these options; else as in its book, or with the quick set-up that is wanted. */
  choose(ruleset: string, changed?: Options): Promise<void> {
    this.ruleset = ruleset;
    this.#quick = {};
    const quick = quickOptions(ruleset).then(
      (options) => {
        if (this.ruleset !== ruleset) return;
        this.#quick = options;
        // What was chosen meanwhile stays.
        if (changed === undefined && this.#wantsQuick && this.count === 0) this.setQuick(true);
      },
      () => undefined, // without the server there is no quick set-up
    );
    this.#change(changed ?? {});
    return quick;
  }

  set(name: string, value: string): void {
    const { [name]: _, ...others } = this.changed;
    this.#change(value === this.values.get(name)?.preset ? others : { ...others, [name]: value });
  }

  /** As in the book again: one option, or all. */
  reset(name?: string): void {
    if (name === undefined) {
      this.#wantsQuick = false;
      return this.#change({});
    }
    const { [name]: _, ...others } = this.changed;
    this.#change(others);
  }

  /** Whether the set-up is the quick one; it always is where a ruleset has no other. */
  get quick(): boolean {
    return this.canBeQuick && Object.entries(this.#quick).every(([name, value]) => this.values.get(name)?.value === value);
  }

  get canBeQuick(): boolean {
    return Object.keys(this.#quick).length > 0;
  }

  /** Whether territories are chosen in turn although the set-up is quick: the rules need it. */
  get quickDrafts(): boolean {
    return this.quick && this.values.get("setup.claim")?.value === "draft";
  }

  setQuick(on: boolean): void {
    this.#wantsQuick = on;
    const others = Object.fromEntries(Object.entries(this.changed).filter(([name]) => !(name in this.#quick)));
    this.#change(on ? { ...others, ...this.#quick } : others);
  }

  /** Whether the conditions of an option are met: `cards.deck=44 42`. */
  applies(form: OptionForm): boolean {
    return form.only_if.every((condition) => {
      const [name = "", wanted = ""] = condition.split("=");
      return wanted.split(" ").includes(this.values.get(name)?.value ?? wanted);
    });
  }

  #change(changed: Options): void {
    this.changed = changed;
    const asked = ++this.#asked;
    const body = { ruleset: this.ruleset, options: changed, rulebook: false };
    this.#answer = api.post("/api/v1/rulesets/check", { body }).then(
      (answer) => {
        if (asked === this.#asked) this.checked = answer;
      },
      () => undefined, // opening the table says what is wrong
    );
  }
}

/** The options of a table from their text: `setup.claim=random; cards.wilds=0`. */
export function optionsOf(text: string): Record<string, string> {
  const parts = text.split("; ").filter((part) => part.includes("="));
  return Object.fromEntries(parts.map((part) => [part.slice(0, part.indexOf("=")), part.slice(part.indexOf("=") + 1)]));
}
