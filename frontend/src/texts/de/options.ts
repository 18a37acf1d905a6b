/** The options of the rules in German, by their ids; loaded only where options are shown. */

export interface OptionWords {
  readonly label: string;
  readonly help: string;
  /** Name and meaning of each value that is named. */
  readonly values: Readonly<Record<string, readonly [label: string, help: string]>>;
}

const YES = "Ja";
const NO = "Nein";

const option = (label: string, help: string, values: OptionWords["values"] = {}): OptionWords => ({ label, help, values });

/** The groups, by their English names. */
export const groups: Readonly<Record<string, string>> = {
  "Set-up": "Aufbau",
  "Receiving armies": "Neue Armeen",
  Cards: "Karten",
  "Attack and occupation": "Angriff und Einrücken",
  Fortify: "Verlegen",
  "Neutral armies, rebels and resignation": "Neutrale Armeen, Rebellen und Aufgeben",
  Winning: "Sieg",
  Missions: "Aufträge",
  "Objectives and rewards": "Ziele und Belohnungen",
  "Pieces and notices": "Figuren und Mitteilungen",
};

export const options: Readonly<Record<string, OptionWords>> = {
  "map.east_africa_middle_east": option("Ostafrika–Naher Osten", "Die Grenze zwischen Ostafrika und dem Nahen Osten.", {
    true: [YES, "Sie sind Nachbarn."],
    false: [NO, "Sie sind keine Nachbarn, wie auf dem Brett zum 40. Jubiläum."],
  }),
  "players.min": option("Wenigste Spieler", "Wie viele Spieler es mindestens sind."),
  "players.max": option("Meiste Spieler", "Wie viele Spieler es höchstens sind."),
  "setup.armies": option("Startarmeen", "Mit wie vielen Armeen jeder beginnt, je nach Zahl der Spieler."),
  "setup.first_player": option("Wer beginnt", "Wie der erste Spieler bestimmt wird.", {
    die_roll: ["Würfeln", "Jeder wirft einen Würfel; der höchste beginnt."],
    random: ["Zufall", "Der Zufall bestimmt einen Spieler."],
    gm_assigned: ["Der Gastgeber bestimmt", "Der Gastgeber nennt den ersten Spieler."],
  }),
  "setup.tie": option("Gleich hohe Würfe", "Haben mehrere den höchsten Würfel, werfen nur sie noch einmal, bis einer der höchste ist.", {
    reroll_tied: ["Nur sie werfen noch einmal", "Haben mehrere den höchsten Würfel, werfen nur sie noch einmal, bis einer der höchste ist."],
  }),
  "setup.claim": option("Gebiete", "Wie die Gebiete am Anfang verteilt werden.", {
    draft: ["Reihum", "Reihum setzt jeder eine Armee auf ein freies Gebiet seiner Wahl."],
    deal_cards: ["Ausgeteilt", "Die Gebietskarten werden ausgeteilt, beginnend links vom ersten Spieler."],
    deal_three_piles: ["Drei Stapel", "Die Karten kommen auf drei Stapel: einer für jeden der zwei Spieler, einer neutral."],
    random: ["Zufall", "Der Zufall verteilt die Gebiete, beginnend mit dem ersten Spieler."],
  }),
  "setup.place": option("Setzen am Anfang", "Wie die übrigen Startarmeen gesetzt werden.", {
    one_each_round: ["Reihum je eine", "Eine Armee nach der anderen, Spieler für Spieler."],
    all_at_once: ["Alle auf einmal", "Alle auf einmal, verdeckt, bis alle gesetzt haben."],
    two_own_one_neutral: ["Zwei eigene, eine neutrale", "Reihum zwei eigene Armeen und eine neutrale."],
  }),
  "setup.turn1": option("Erster Zug", "Wer den ersten Zug hat.", {
    first_placer: ["Wer zuerst setzt", "Der erste Spieler des Aufbaus."],
    new_roll: ["Neuer Wurf", "Das wird neu entschieden, wenn alle Armeen stehen."],
  }),
  "setup.cities": option("Städte", "Wie viele ausgeloste Gebiete Städte sind; eine Stadt zählt bei neuen Armeen doppelt.", {
    board: ["Wie auf dem Brett", "So viele, wie das Brett nennt: 15 in der Welt."],
    "0": ["Keine", "Es gibt keine Städte."],
  }),
  "setup.capitals": option("Hauptstädte", "Das erste Gebiet, das ein Spieler nimmt, ist seine Hauptstadt; wer sie hält, bekommt jeden Zug eine Armee.", {
    true: [YES, "Jeder Spieler gründet eine Hauptstadt."],
    false: [NO, "Es gibt keine Hauptstädte."],
  }),
  "revised.capital_on_city": option("Hauptstadt auf einer Stadt", "Ob eine Hauptstadt auf einer Stadt stehen darf.", {
    true: [YES, "Sie darf."],
    false: [NO, "Sie darf nicht."],
  }),
  "setup.starting_cards": option("Karten am Anfang", "Karten, die vor dem ersten Zug ausgeteilt werden, je nach Platz in der Zugfolge."),
  "hq.reveal": option("Hauptquartiere zeigen", "Wie Hauptquartiere gewählt werden.", {
    simultaneous: ["Gleichzeitig", "Im Geheimen; alle werden zusammen gezeigt."],
    open: ["Offen", "Jedes wird gezeigt, sobald es gewählt ist."],
  }),
  "hq.needed": option("Hauptquartiere zum Sieg", "Wie viele Hauptquartiere anderer Spieler man zum Sieg braucht.", {
    all: ["Alle", "Alle."],
    short: ["Zwei oder drei", "Zwei bei bis zu vier Spielern, drei bei fünf oder sechs."],
  }),
  "reinforce.min": option("Wenigste neue Armeen", "Wie viele Armeen ein Zug mindestens bringt.", {
    "3": ["3", "Nie weniger als drei."],
    "0": ["0", "Es gibt kein Minimum."],
  }),
  "reinforce.min_scope": option("Das Minimum gilt für", "Wofür das Minimum gilt.", {
    territory_part: ["Die Gebiete", "Für die Armeen der Gebiete; alles andere kommt hinzu."],
    turn_total: ["Den ganzen Zug", "Für alle Armeen des Zuges außer denen für Karten."],
  }),
  "continent.timing": option("Kontinente bringen Armeen", "Wann Kontinente ihre Armeen bringen.", {
    turn_start: ["Am Anfang deines Zuges", "Am Anfang deines Zuges, für die Kontinente, die du dann hältst."],
    snapshot_end_of_own_turn: ["Am Ende des Zuges gehalten", "Mit den Armeen deines nächsten Zuges, für die Kontinente, die du am Ende deines Zuges hältst."],
    placed_end_of_own_turn: ["Am Ende deines Zuges", "Am Ende deines Zuges; du setzt sie sofort."],
  }),
  "revised.rounding": option("Ein Drittel der Gebiete", "Wie ein Drittel der Gebiete gerundet wird.", {
    down: ["Ab", "Es wird abgerundet."],
    up: ["Auf", "Es wird aufgerundet."],
  }),
  "reinforce.place_all": option("Vor dem Angriff setzen", "Alle neuen Armeen werden vor dem ersten Angriff gesetzt.", {
    true: [YES, "Alle neuen Armeen werden vor dem ersten Angriff gesetzt."],
  }),
  army_cap: option("Meiste auf einem Gebiet", "Wie viele Armeen höchstens auf einem Gebiet stehen; was darüber hinaus kommt, ist verloren.", {
    "0": ["Keine Grenze", "Es gibt keine Grenze."],
    "12": ["12", "Die Grenze aus einer Expertenvariante des Buches von 1993."],
  }),
  "cards.deck": option("Kartensatz", "Die Karten. Die Zahlen gelten für das Brett der Welt.", {
    "44": ["44 mit Jokern", "Eine Karte für jedes Gebiet und zwei Joker."],
    "42": ["42", "Eine Karte für jedes Gebiet."],
    stars42: ["42 mit Sternen", "Eine Karte für jedes Gebiet, mit Sternen."],
  }),
  "cards.wilds": option("Joker", "Wie viele Joker es gibt.", {
    "2": ["2", "Zwei; jeder steht für ein beliebiges Zeichen."],
    "0": ["0", "Keine."],
  }),
  "cards.two_wilds_ok": option("Zwei Joker in einem Satz", "Ob zwei Joker und eine beliebige dritte Karte ein Satz sind.", {
    true: [YES, "Sie sind einer."],
    false: [NO, "Sie sind keiner."],
  }),
  "cards.design_table": option("Zeichen der Karten", "Welche Karte welches Zeichen hat.", {
    parker: ["Parker", "Wie im amerikanischen Spiel von 1993."],
    domination: ["Domination", "Wie in einer anderen veröffentlichten Tabelle."],
    custom: ["Eigene", "Wie unter „Eigene Zeichen“."],
  }),
  "cards.custom_designs": option("Eigene Zeichen", "Das Zeichen jeder Gebietskarte, wenn du sie selbst wählst."),
  "stars.table": option("Sterne auf Karten", "Wie viele Sterne jede Karte hat.", {
    asia_two: ["Wie auf dem Brett", "Wie auf dem Brett: in der Welt zwei in Asien, sonst einer."],
    custom: ["Eigene", "Wie unter „Eigene Sterne“."],
  }),
  "stars.custom": option("Eigene Sterne", "Die Sterne jeder Gebietskarte, wenn du sie selbst wählst."),
  "cards.values": option("Kartensätze bringen", "Wie viele Armeen ein Satz bringt.", {
    escalating: ["4, 6, 8, 10, 12, 15 …", "4, 6, 8, 10, 12, 15, dann für jeden Satz 5 mehr."],
    plus_one: ["4, 5, 6, 7 …", "4, dann für jeden Satz 1 mehr (eine Expertenvariante)."],
    fixed: ["Immer 5", "Immer 5, zum Vergleich mit anderen Programmen."],
    stars: ["Nach Sternen", "Nach Sternen: 2, 4, 7, 10, 13, 17, 21, 25 und 30 Armeen für 2 bis 10 Sterne."],
  }),
  "cards.counter": option("Welche Sätze zählen", "Welche Sätze für den Wert des nächsten zählen.", {
    global: ["Alle", "Die Sätze, die alle Spieler getauscht haben."],
    per_player: ["Die eigenen", "Die Sätze, die derselbe Spieler getauscht hat."],
  }),
  "cards.forced": option("Tauschpflicht", "Was man am Anfang eines Zuges mit fünf oder mehr Karten tauschen muss.", {
    one_set: ["Einen Satz", "Einen Satz; ein zweiter ist freiwillig."],
    all_complete_up_to_two: ["Einen oder zwei Sätze", "Einen Satz, und einen zweiten, wenn die übrigen Karten einen enthalten."],
    until_below_5: ["Bis unter fünf", "Sätze, bis weniger als fünf Karten übrig sind."],
    none: ["Nichts", "Nichts."],
  }),
  "cards.max_sets_per_start": option("Sätze je Zug", "Wie viele Sätze man am Anfang eines Zuges tauschen darf; ein Pflichttausch ist immer erlaubt.", {
    "2": ["2", "Zwei."],
    unlimited: ["Beliebig viele", "So viele, wie die Hand enthält."],
  }),
  "cards.territory_bonus": option("Zugabe für ein eigenes Gebiet", "Armeen zusätzlich für eine getauschte Karte, die ein eigenes Gebiet zeigt; sie kommen dorthin.", {
    "2": ["2", "Zwei."],
    "0": ["0", "Keine."],
  }),
  "cards.territory_bonus_cap": option("Die Zugabe gibt es", "Wie oft es diese Armeen gibt.", {
    per_turn_2: ["Einmal je Zug", "Einmal je Zug."],
    per_set_2: ["Einmal je Satz", "Einmal je Satz."],
    per_card: ["Je Karte", "Für jede Karte, die ein eigenes Gebiet zeigt."],
  }),
  "cards.trigger": option("Karte verdienen", "Wie man die Karte eines Zuges verdient.", {
    captured: ["Durch Eroberung", "Durch die Eroberung eines Gebiets."],
    captured_from_player: ["Eroberung von einem Spieler", "Durch die Eroberung eines Gebiets von einem anderen Spieler."],
    captured_and_no_claim: ["Eroberung ohne Ziel", "Durch die Eroberung eines Gebiets, ohne ein Ziel zu nehmen."],
  }),
  "cards.draw_time": option("Karte ziehen", "Wann die verdiente Karte gezogen wird.", {
    end_of_attack: ["Nach den Angriffen", "Wenn die Angriffe enden, vor dem Verlegen."],
    end_of_turn: ["Am Ende des Zuges", "Wenn der Zug endet, nach dem Verlegen."],
  }),
  "cards.empty": option("Leerer Stapel", "Was geschieht, wenn eine Karte fällig und der Stapel leer ist.", {
    reshuffle: ["Neu mischen", "Die abgelegten Karten werden zu einem neuen Stapel gemischt."],
    no_card: ["Keine Karte", "Es wird keine Karte mehr gezogen."],
  }),
  "cards.visibility": option("Hände", "Wer die Karten der Spieler sieht.", {
    public: ["Offen", "Alle sehen alle Karten."],
    private_count_public: ["Verdeckt", "Man sieht nur, wie viele Karten ein anderer hat."],
  }),
  "elim.trade": option("Gewonnene Karten tauschen", "Das Tauschen, nachdem jemand durch das Ausscheiden eines anderen Karten gewonnen hat.", {
    bk93: ["Ab sechs Karten", "Mit sechs oder mehr Karten sofort Sätze, bis vier oder weniger übrig sind."],
    none: ["Gar nicht", "Nicht vor dem nächsten Zug."],
    optional: ["Freiwillig", "Sofort, so viele Sätze man will."],
  }),
  "elim.order": option("Einrücken vor Karten", "Das eroberte Gebiet wird besetzt, bevor die Karten des Ausgeschiedenen genommen werden.", {
    occupy_then_cards: ["Einrücken, dann Karten", "Das eroberte Gebiet wird besetzt, bevor die Karten des Ausgeschiedenen genommen werden."],
  }),
  "stars.trades_per_draft": option("Sterne tauschen je Zug", "Wie oft man in einem Zug Sterne tauschen darf, zwei bis zehn auf einmal.", {
    "1": ["1", "Einmal."],
    unlimited: ["Beliebig oft", "So oft man will."],
  }),
  "stars.same_turn": option("Neue Karte tauschen", "Eine Karte wird nie in dem Zug getauscht, in dem man sie bekommen hat.", {
    false: [NO, "Eine Karte wird nie in dem Zug getauscht, in dem man sie bekommen hat."],
  }),
  "attack.dice_cap": option("Angriffswürfel", "Wie viele Würfel, höchstens drei, der Angreifer werfen darf.", {
    armies_minus_1: ["Einen weniger als Armeen", "Einen weniger, als Armeen auf dem angreifenden Gebiet stehen."],
    armies_guarded: ["So viele wie Armeen", "So viele wie diese Armeen; ein Verlust, der das Gebiet leeren würde, zählt nicht."],
  }),
  "attack.default": option("Angriffswürfel ohne Angabe", "Mit wie vielen Würfeln angegriffen wird, wenn der Angreifer keine Zahl nennt.", {
    max: ["So viele wie erlaubt", "Mit so vielen Würfeln wie erlaubt."],
    must_state: ["Er muss sie nennen", "Der Angreifer muss eine Zahl nennen."],
  }),
  "attack.truce": option("Waffenruhe am Anfang", "Wie viele Runden am Anfang niemand einen anderen angreifen darf.", {
    "0": ["Keine", "Es gibt keine Waffenruhe."],
  }),
  "defend.dice_cap": option("Meiste Abwehrwürfel", "Wie viele Würfel der Verteidiger werfen darf.", {
    armies: ["Zwei mit zwei Armeen", "Zwei, aber nur mit zwei oder mehr Armeen."],
    two_always: ["Immer zwei", "Zwei, auch mit einer Armee."],
  }),
  "defend.extra_die": option("Zweiter Würfel einer Armee", "Was der zweite Würfel einer einzelnen Armee bewirkt.", {
    compare_all: ["Beide vergleichen", "Beide Paare werden verglichen; der Angreifer kann durch jedes eine Armee verlieren."],
    best_only: ["Nur der beste", "Nur die höchsten Würfel werden verglichen."],
  }),
  "defend.default": option("Abwehrwürfel", "Was geschieht, wenn der Verteidiger keinen festen Befehl gegeben hat.", {
    two: ["Zwei", "Der Verteidiger wirft zwei Würfel, wo das erlaubt ist."],
    max_legal: ["So viele wie erlaubt", "Der Verteidiger wirft so viele Würfel wie erlaubt."],
    must_state: ["Den Verteidiger fragen", "Der Verteidiger wird gefragt."],
  }),
  "dice.announce": option("Würfel nennen", "In welcher Reihenfolge beide Seiten ihre Würfel nennen.", {
    attacker_then_defender: ["Erst der Angreifer", "Erst der Angreifer, dann der Verteidiger, bevor gewürfelt wird."],
    sealed: ["Verdeckt", "Beide zugleich, ohne die Zahl des anderen zu kennen."],
    standing_order: ["Fester Befehl", "Der Verteidiger durch einen festen Befehl vor dem Angriff."],
  }),
  "defend.order_scope": option("Feste Befehle", "Ein fester Befehl für ein Gebiet gilt, bis er aufgehoben wird oder das Gebiet fällt.", {
    per_territory_until_changed: ["Je Gebiet, bis zur Änderung", "Ein fester Befehl für ein Gebiet gilt, bis er aufgehoben wird oder das Gebiet fällt."],
  }),
  "occupy.min": option("Einrücken", "Wie viele Armeen mindestens in ein erobertes Gebiet einrücken.", {
    last_dice: ["Wie die letzten Würfel", "So viele, wie für den letzten Wurf Würfel genannt waren, oder so viele, wie können."],
    one: ["Eine", "Eine."],
  }),
  "fortify.reach": option("Verlegen", "Wohin Armeen am Ende eines Zuges verlegt werden dürfen.", {
    adjacent: ["Zum Nachbarn", "In ein eigenes Nachbargebiet."],
    connected: ["Verbunden", "Über eine lückenlose Kette eigener Gebiete."],
    any: ["Überallhin", "In jedes eigene Gebiet."],
    connected_many: ["Verbunden, beliebig oft", "Beliebig oft, jedes Mal über eine lückenlose Kette eigener Gebiete."],
  }),
  "fortify.count": option("Wie oft verlegen", "Wie oft man am Ende eines Zuges verlegen darf."),
  "neutral.layout": option("Neutrale Armee", "Die neutrale Armee des Spiels zu zweit.", {
    none: ["Keine", "Es gibt keine."],
    fourteen: ["Auf einem Drittel", "Auf einem Drittel der Gebiete: 14 auf dem Brett der Welt."],
    single40: ["Auf einem Gebiet", "Ganz auf einem ausgelosten Gebiet."],
  }),
  "neutral.armies": option("Neutrale Armeen", "Wie viele neutrale Armeen es gibt."),
  "neutral.must_fall": option("Neutrale müssen fallen", "Ob ein Welteroberer auch neutrale Gebiete und die der Rebellen nehmen muss.", {
    true: [YES, "Jedes Gebiet muss genommen werden."],
    false: [NO, "Es genügt, dass kein Gegner übrig ist."],
  }),
  "neutral.dice": option("Würfel der Neutralen", "Wer für neutrale Armeen und Rebellen wirft, und mit wie vielen Würfeln.", {
    opponent_chooses: ["Der Gegner wählt", "Der andere Spieler, der einen oder zwei Würfel wählt."],
    always_two: ["Immer zwei", "Immer zwei Würfel, auch für eine einzelne Armee."],
    max_legal: ["So viele wie erlaubt", "So viele Würfel, wie ein Spieler werfen dürfte."],
  }),
  "rebels.setup": option("Rebellen", "Rebellen, die sich nur verteidigen.", {
    none: ["Keine", "Es gibt keine."],
    gm_list: ["Vom Gastgeber gesetzt", "Der Gastgeber darf vor dem Spiel welche auf das Brett setzen."],
    abandoned_player: ["Von Spielern, die aufgeben", "Nur die Armeen von Spielern, die aufgeben."],
  }),
  "player.resign": option("Armeen nach dem Aufgeben", "Was aus den Armeen eines Spielers wird, der aufgibt.", {
    to_neutral: ["Werden neutral", "Sie werden neutral."],
    to_rebels: ["Werden Rebellen", "Sie werden Rebellen."],
  }),
  "victory.goal": option("Ziel", "Womit man gewinnt.", {
    conquest: ["Eroberung", "Mit der Eroberung der Welt."],
    mission: ["Auftrag", "Mit dem eigenen Geheimauftrag."],
    objectives: ["Ziele", "Mit drei Zielen und der eigenen Hauptstadt."],
    headquarters: ["Hauptquartiere", "Mit den Hauptquartieren der anderen und dem eigenen."],
  }),
  "victory.check": option("Moment des Sieges", "Eroberung, Hauptquartiere und wer als Letzter übrig ist: gewonnen ist im Moment der Eroberung.", {
    immediate: ["Sofort", "Gewonnen ist im Moment der Eroberung."],
  }),
  "game.round_limit": option("Ende nach", "Nach wie vielen vollen Runden das Spiel endet.", {
    "0": ["Keine Grenze", "Es gibt keine Grenze."],
  }),
  "game.limit_winner": option("Sieger an der Grenze", "Wer gewinnt, wenn die letzte Runde vorbei ist.", {
    territories: ["Die meisten Gebiete", "Der Spieler mit den meisten Gebieten, dann mit den meisten Armeen."],
    draw: ["Unentschieden", "Niemand: Das Spiel endet unentschieden."],
  }),
  "missions.deck": option("Aufträge", "Die Geheimaufträge.", {
    none: ["Keine", "Es gibt keine."],
    us12: ["Zwölf", "Zwölf: sechs mit je zwei Kontinenten, sechs gegen Farben."],
    euro14: ["Vierzehn", "Vierzehn: diese zwölf und zwei mit einer Zahl von Gebieten."],
    custom: ["Eigene", "Die unter „Eigene Aufträge“."],
  }),
  "missions.custom": option("Eigene Aufträge", "Die Aufträge eines eigenen Satzes, mit ihren Kennungen."),
  "missions.killer": option("Ziel von anderen vernichtet", "Was geschieht, wenn ein anderer dein Ziel vernichtet.", {
    anyone: ["Erfüllt ihn", "Dein Auftrag ist erfüllt."],
    self_else_24: ["Wird zu 24 Gebieten", "Dein Auftrag wird zu 24 Gebieten."],
  }),
  "missions.check": option("Aufträge prüfen", "Wann Aufträge geprüft werden.", {
    immediate_any_player: ["Immer, bei allen", "In jedem Moment, die aller Spieler."],
    own_turn_end: ["Am Ende des eigenen Zuges", "Wenn der eigene Zug des Spielers endet."],
  }),
  "missions.tie": option("Mehrere Aufträge erfüllt", "Sind mehrere zugleich erfüllt, gewinnt der Spieler am Zug, dann der nächste im Uhrzeigersinn.", {
    active_first: ["Wer am Zug ist", "Sind mehrere zugleich erfüllt, gewinnt der Spieler am Zug, dann der nächste im Uhrzeigersinn."],
  }),
  "missions.unused_colours": option("Farben ohne Spieler", "Was aus Aufträgen gegen eine Farbe wird, die niemand hat.", {
    removed: ["Kommen heraus", "Sie werden vor dem Austeilen herausgenommen."],
    kept_24: ["Bedeuten 24 Gebiete", "Sie bleiben im Satz und bedeuten 24 Gebiete."],
  }),
  "missions.own_colour": option("Eigene Farbe gezogen", "Was geschieht, wenn jemand den Auftrag gegen die eigene Farbe zieht.", {
    fallback_24: ["Bedeutet 24 Gebiete", "Er bedeutet 24 Gebiete."],
    redraw: ["Neu ziehen", "Der Spieler legt ihn zurück und zieht einen anderen."],
  }),
  "missions.reveal": option("Auftrag zeigen", "Wie ein erfüllter Auftrag gezeigt wird.", {
    auto: ["Von selbst", "Von selbst, sobald er erfüllt ist."],
    manual: ["Vom Spieler", "Sein Spieler muss es merken und ihn zeigen."],
  }),
  "objectives.pool": option("Ziele", "Die Ziele, aus denen vier kleine und vier große gezogen werden.", {
    none: ["Keine", "Es gibt keine."],
    seed11: ["Elf", "Elf."],
    r08_12: ["Zwölf", "Diese elf und: 1 feindliche Hauptstadt halten."],
  }),
  "objectives.class_table": option("Klassen der Ziele", "Ziele, die in diesem Spiel klein oder groß sind, anders als auf dem Brett."),
  "objectives.split_continents": option("Kontinente einzeln", "Nordamerika, Europa und Asien sind drei Ziele.", {
    true: [YES, "Nordamerika, Europa und Asien sind drei Ziele."],
  }),
  "objectives.continent_turn": option("Kontinent in einem Zug", "Was man von einem Kontinent gehabt haben darf, den man in einem Zug nimmt.", {
    no_presence: ["Nichts", "Nichts, als der Zug begann."],
    not_controlled: ["Nicht alles", "Einen Teil, aber nicht alles."],
  }),
  "conquest.objectives": option("Ziele bei Eroberung", "Ob mit Zielen und Belohnungen gespielt wird, wenn die Eroberung gewinnt.", {
    true: [YES, "Es wird damit gespielt."],
    false: [NO, "Sie bleiben in der Schachtel."],
  }),
  "revised.win": option("Sieg mit Zielen", "Wann drei Ziele und die Hauptstadt gewinnen.", {
    end_of_own_turn: ["Am Ende des eigenen Zuges", "Wenn der eigene Zug des Spielers endet."],
    immediate: ["Sofort", "Sofort."],
  }),
  "capital.dead_counts": option("Hauptstädte Ausgeschiedener", "Ob die Hauptstadt eines ausgeschiedenen Spielers noch zählt.", {
    true: [YES, "Sie bringt weiter eine Armee und zählt als feindliche Hauptstadt."],
    false: [NO, "Sie zählt für nichts mehr."],
  }),
  "rewards.major_pool": option("Große Belohnungen", "Die vier Belohnungen großer Ziele.", {
    r08: ["Mit zwei Armeen", "Angriffswürfel, Abwehrwürfel, Flugplatz und zwei Armeen je Zug."],
    seed_only: ["Mit zwei Flugplätzen", "Angriffswürfel, Abwehrwürfel und zwei Flugplätze."],
  }),
  "reward.effective": option("Belohnungen gelten", "Ab wann eine Belohnung gilt.", {
    immediate: ["Sofort", "Sofort."],
    next_turn: ["Ab dem nächsten Zug", "Ab dem nächsten Zug des Spielers."],
  }),
  "guaranteed.max_one": option("Eine Karte je Zug", "Ob die sichere Karte die durch Eroberung verdiente ersetzt.", {
    true: [YES, "Nie mehr als eine Karte je Zug."],
    false: [NO, "Sie kommt hinzu."],
  }),
  "airfield.lost": option("Eroberte Flugplätze", "Was geschieht, wenn das Gebiet eines Flugplatzes erobert wird.", {
    suspended: ["Ruht", "Er bewirkt nichts, bis sein Besitzer das Gebiet zurückholt."],
    transfers: ["Geht über", "Der Eroberer bekommt ihn, auch wenn sein Besitzer dabei ausscheidet."],
    removed: ["Fällt weg", "Er verlässt das Spiel."],
  }),
  "airfield.effect": option("Flugplätze", "Ein Flugplatz zählt 1 zum höchsten Würfel seines Besitzers, auf seinem Gebiet und daneben, und nie mehr.", {
    highest_die_plus_one: ["Höchster Würfel plus eins", "Er zählt 1 zum höchsten Würfel seines Besitzers, auf seinem Gebiet und daneben, und nie mehr."],
  }),
  "airfield.place": option("Flugplätze setzen", "Ein Flugplatz wird gesetzt, wenn man ihn bekommt, und bleibt dort.", {
    once: ["Einmal", "Er wird gesetzt, wenn man ihn bekommt, und bleibt dort."],
  }),
  bonus_die: option("Zusätzlicher Würfel", "Was der zusätzliche Würfel einer Belohnung bewirkt.", {
    drop_lowest: ["Der niedrigste fällt weg", "Der niedrigste Würfel des Wurfs fällt weg."],
    compare_extra: ["Wird verglichen", "Auch er wird verglichen."],
  }),
  two_troops: option("Belohnung: zwei Armeen", "Die Belohnung von zwei Armeen gibt es jeden Zug.", {
    per_draft: ["Jeden Zug", "Die Belohnung von zwei Armeen gibt es jeden Zug."],
  }),
  "pieces.denominations": option("Figuren", "Für wie viele Armeen jede Figur steht.", {
    "1/5/10": ["1/5/10", "Infanterie 1, Kavallerie 5, Artillerie 10."],
    "1/3": ["1/3", "Ein kleiner Pfeil 1, ein großer Pfeil 3."],
  }),
  "pieces.exchange": option("Figuren tauschen", "Figuren darf man jederzeit in größere oder kleinere tauschen.", {
    any_time: ["Jederzeit", "Jederzeit."],
  }),
  "dice.recipients": option("Wer die Würfel sieht", "Wem die Würfel jedes Wurfs gezeigt werden; die Verluste sieht man immer auf dem Brett."),
  "gm.notices": option("Mitteilungen über neue Armeen", "Mitteilungen über die Armeen, die ein Zug bringt.", {
    true: [YES, "Alle erfahren die Armeen Posten für Posten."],
    false: [NO, "Wer am Zug ist, sieht die Posten, die anderen die Summe."],
  }),
};
