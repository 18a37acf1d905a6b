"""The rulebook on neutral armies, objectives, missions, headquarters and the end (3.6 to 5)."""

from rubicon.rules.impossible import Chosen
from rubicon.rules.rulebook_words import (
    Section,
    both,
    bullets,
    capitals,
    has,
    headquarters,
    lacks,
    listed,
    missions,
    neutral_at_start,
    objectives,
    outsiders,
    pick,
    plural,
    rebels,
    say,
    territories,
    where,
)
from rubicon.rules.tables import MissionKind, ObjectiveKind

NEUTRAL = Section(
    "Neutral armies and rebels",
    (
        (
            where(
                both(lambda c: not neutral_at_start(c), has("rebels.setup", "none")),
                "At the start no armies are neutral; those of players who leave become so. "
                "[A-25, A-39]",
            ),
            where(
                has("neutral.layout", "fourteen"),
                lambda c: (
                    f"The neutral has {c.number('neutral.armies')} armies on "
                    f"{territories(c) // 3} territories. [A-27, S003-14]"
                ),
            ),
            where(
                has("neutral.layout", "single40"),
                lambda c: (
                    f"The neutral has one territory with {c.number('neutral.armies')} "
                    "armies and receives no others. [A-27, S003-14]"
                ),
            ),
            where(
                has("rebels.setup", "gm_list"),
                "Rebels stand where the host has put them, and where players have left. "
                "[A-25, A-39]",
            ),
            where(
                has("rebels.setup", "abandoned_player"),
                "Rebels are the armies of players who have left. [A-25, A-39]",
            ),
            where(
                lambda c: neutral_at_start(c) or rebels(c),
                "They have no turns, receive no armies and never attack; they only defend. "
                "[S003-15, S002-35]",
            ),
        ),
        (
            pick(
                "neutral.dice",
                {
                    "opponent_chooses": "When one of you attacks them the other rolls for them, "
                    "one die or two, two only for two armies or more. [A-28, S003-16]",
                    "always_two": lambda c: (
                        f"{outsiders(c).title()} armies always roll two "
                        "dice, even one army alone, and no orders bind them. [A-28, S002-35]"
                    ),
                    "max_legal": lambda c: (
                        f"{outsiders(c).title()} armies roll as many dice as a player could. [A-28]"
                    ),
                },
            ),
            where(
                has("cards.trigger", "captured_from_player"),
                "Taking a territory from them earns no card, and wiping them out brings none. "
                "[A-14, A-79]",
                "Taking a territory from them counts for a card like any other; wiping them out "
                "brings no cards. [A-14, A-79]",
            ),
        ),
    ),
)


def objective_list(chosen: Chosen) -> str:
    """The objectives of the pool, by class."""
    classes = chosen.words("objectives.class_table")
    pool = [o for o in chosen.board.objectives if o.id in chosen.objectives]
    texts: dict[str, list[str]] = {"minor": [], "major": []}
    for objective in pool:
        own = "major" if objective.major else "minor"
        texts[classes.get(objective.id, own)].append(f"{objective.text} ({objective.id})")
    return (
        f"The minor objectives: [5.1]\n\n{bullets(texts['minor'])}\n\n"
        f"The major objectives: [5.1]\n\n{bullets(texts['major'])}"
    )


def has_continent_in_turn(chosen: Chosen) -> bool:
    """Whether an objective asks for a continent in one turn."""
    return any(
        o.kind is ObjectiveKind.CONTINENT_IN_TURN
        for o in chosen.board.objectives
        if o.id in chosen.objectives
    )


REWARDS = (
    "Airfield: place it on a territory of yours as you receive it; there it stays. On that "
    "territory and those next to it your highest die counts one more when you attack from there "
    "or defend there; two airfields do not add up. [RW1, A-47, S001-76]",
    "Additional manoeuvre: one more move at the end of your turn. [RW2, S001-65]",
    "Starting manoeuvre: one move before your first attack. [RW3, S001-66]",
    "Guaranteed card: a card in every turn, even without a capture or after a claim. "
    "[RW4, S001-68]",
)
MAJOR_REWARDS = (
    "Attack die: one die more when you attack. [RW5, S001-13]",
    "Airfield: as above. [RW1]",
    "Defence die: one die more when you defend. [RW6, S001-13]",
)


def reward_list(chosen: Chosen) -> str:
    """The rewards, by class."""
    fourth = {
        "r08": "Two troops: two armies more in every turn. [RW7, A-52]",
        "seed_only": "Airfield: a second one of this class. [S001-76]",
    }[chosen.text("rewards.major_pool")]
    minor, major = bullets(REWARDS), bullets([*MAJOR_REWARDS, fourth])
    return (
        f"The rewards on minor objectives: [5.3]\n\n{minor}\n\n"
        f"The rewards on major objectives: [5.3]\n\n{major}"
    )


OBJECTIVES = Section(
    "Objectives and rewards",
    (
        (
            where(
                objectives,
                "After attacking you may claim one objective that lies face up and that you "
                "meet, and its reward with it. Never more than one a turn; what you have stays "
                "yours even if you meet it no more. Claimed objectives are not replaced. "
                "[S001-49, S001-50, S001-78, A-55, A-56]",
            ),
        ),
        (where(objectives, objective_list),),
        (
            where(
                objectives,
                "What you take “in one turn” is what you did not hold as the turn began. "
                "[S001-53, S001-59]",
            ),
            where(
                both(objectives, has_continent_in_turn),
                pick(
                    "objectives.continent_turn",
                    {
                        "no_presence": "An entire continent counts only if none of it was yours "
                        "then. [A-45, S001-57]",
                        "not_controlled": "An entire continent counts if not all of it was yours "
                        "then. [A-45]",
                    },
                ),
            ),
            where(
                both(objectives, capitals),
                pick(
                    "capital.dead_counts",
                    {
                        "true": "The capital of a player who is out of the game is still an "
                        "enemy capital. [A-46]",
                        "false": "The capital of a player who is out of the game is no enemy "
                        "capital any more. [A-46]",
                    },
                ),
            ),
        ),
        (where(objectives, reward_list),),
        (
            where(
                objectives,
                pick(
                    "reward.effective",
                    {
                        "immediate": "A reward works from the moment you have it. [A-50]",
                        "next_turn": "A reward works from your next turn on. [A-50]",
                    },
                ),
            ),
            where(
                objectives,
                pick(
                    "guaranteed.max_one",
                    {
                        "true": "The guaranteed card is no second card: you never draw more than "
                        "one in a turn. [A-51]",
                        "false": "The guaranteed card comes beside one that you have earned by a "
                        "capture. [A-51]",
                    },
                ),
            ),
            where(
                objectives,
                pick(
                    "airfield.lost",
                    {
                        "suspended": "An airfield whose territory is captured does nothing until "
                        "its owner has retaken it. [A-48]",
                        "transfers": "An airfield whose territory is captured belongs to the "
                        "captor. [A-48]",
                        "removed": "An airfield whose territory is captured leaves the game. "
                        "[A-48]",
                    },
                ),
            ),
        ),
    ),
)


def mission_list(chosen: Chosen) -> str:
    """The deck of missions."""
    deck = [m for m in chosen.board.missions if m.id in chosen.missions]
    return f"The missions: [4.2]\n\n{bullets([f'{m.text} ({m.id})' for m in deck])}"


def has_targets(chosen: Chosen) -> bool:
    """Whether a mission of the deck is against a colour."""
    kinds = {m.id: m.kind for m in chosen.board.missions}
    return any(kinds.get(name) is MissionKind.DESTROY for name in chosen.missions)


def fallback(chosen: Chosen) -> str:
    """What a mission that cannot be done turns into."""
    return f"{chosen.board.mission_fallback} territories"


MISSIONS = Section(
    "Missions",
    (
        (where(missions, mission_list),),
        (
            where(
                both(missions, has_targets),
                pick(
                    "missions.own_colour",
                    {
                        "fallback_24": lambda c: (
                            "If you draw your own colour your mission is to "
                            f"hold {fallback(c)}. [4.3]"
                        ),
                        "redraw": "If you draw your own colour you put it back and draw again. "
                        "[4.3]",
                    },
                ),
            ),
            where(
                both(missions, has_targets),
                pick(
                    "missions.unused_colours",
                    {
                        "removed": "The missions against colours that nobody plays are taken out "
                        "before the deal. [4.1, 4.3]",
                        "kept_24": lambda c: (
                            "A mission against a colour that nobody plays means "
                            f"to hold {fallback(c)}. [4.3]"
                        ),
                    },
                ),
            ),
            where(
                both(missions, has_targets),
                pick(
                    "missions.killer",
                    {
                        "anyone": "A colour is destroyed when its player has lost the last "
                        "territory, whoever took it. [A-33, 4.3]",
                        "self_else_24": lambda c: (
                            "You must take the last territory of your "
                            f"target yourself; if somebody else does, hold {fallback(c)} "
                            "instead. "
                            "[A-33, 4.3]"
                        ),
                    },
                ),
            ),
            where(
                both(missions, has_targets),
                lambda c: (
                    "If your target leaves the game, that is nobody’s doing: hold "
                    f"{fallback(c)} instead. [4.3, A-88]"
                ),
            ),
        ),
        (
            where(
                missions,
                pick(
                    "missions.check",
                    {
                        "immediate_any_player": "A mission counts at any moment, also in the "
                        "turn of somebody else; the first such moment is the start of the first "
                        "turn. [A-34, A-90]",
                        "own_turn_end": "A mission counts only as its owner’s turn ends. [A-34]",
                    },
                ),
            ),
            where(
                missions,
                pick(
                    "missions.reveal",
                    {
                        "auto": "It is revealed by itself. [4.3]",
                        "manual": "Its owner must notice and show it. [4.3]",
                    },
                ),
            ),
            where(
                missions,
                "Of several complete at once that of the player whose turn it is wins, then the "
                "next to the left. [A-35]",
            ),
        ),
    ),
)


def needed(chosen: Chosen) -> str:
    """How many headquarters of the others win."""
    if chosen.has("hq.needed", "all"):
        return "those of all others. [A-36]"
    few = min(2, chosen.players.stop - 2)
    parts = [plural(few, "other", "others") + " with up to four players"]
    if chosen.players.stop > 5:
        parts.append("three with five or six")
    return f"those of {listed(parts)}. [A-36]"


HEADQUARTERS = Section(
    "Headquarters",
    (
        (
            where(
                headquarters,
                "Whoever loses their headquarters plays on, but cannot win before retaking it. "
                "The headquarters of a player who is out of the game still counts. "
                "[A-37, A-80]",
            ),
        ),
    ),
)


def conquest(chosen: Chosen) -> str:
    """When conquest wins."""
    whole = f"You win at the instant at which you hold all {territories(chosen)} territories."
    kind = outsiders(chosen)
    if chosen.has("neutral.must_fall", "true"):
        return f"{whole} Those of {kind} armies must fall too. [A-26, A-61, S002-05]"
    return (
        f"{whole} You also win at the instant at which your last opponent is out; {kind} armies "
        "need not fall. [A-26, A-61, A-81, S003-43]"
    )


WINNING = Section(
    "Winning",
    (
        (
            pick(
                "victory.goal",
                {
                    "conquest": conquest,
                    "mission": "You win when your mission is complete and revealed, and also "
                    "when you are the last player left. [4.1, A-81]",
                    "objectives": pick(
                        "revised.win",
                        {
                            "end_of_own_turn": "You win when, as your own turn ends, you hold "
                            "three objectives of any class and your own capital. "
                            "[A-43, S001-70]",
                            "immediate": "You win at once when, in your turn, you hold three "
                            "objectives of any class and your own capital. [A-43]",
                        },
                    ),
                    "headquarters": lambda c: (
                        f"You win at once when you hold your own headquarters and {needed(c)}"
                    ),
                },
            ),
            where(
                has("victory.goal", "objectives", "headquarters"),
                "The last player left wins too. [A-81]",
            ),
            where(
                both(has("victory.goal", "objectives"), objectives),
                "Whoever has lost their capital plays on, but cannot win before retaking it. "
                "[A-57]",
            ),
        ),
        (
            say(
                "A capture that wins ends the game: the fewest armies move in, and nothing else "
                "happens. [A-89]"
            ),
            where(
                lacks("game.round_limit", "0"),
                lambda c: (
                    "After "
                    f"{plural(c.number('game.round_limit'), 'full round')} the game is over. "
                    + pick(
                        "game.limit_winner",
                        {
                            "territories": "Whoever then holds most territories wins; of those "
                            "who are level, whoever has most armies; otherwise nobody. [A-94]",
                            "draw": "Nobody wins then. [A-94]",
                        },
                    )(c)
                ),
            ),
        ),
    ),
)

RESIGNATION = Section(
    "Resignation",
    (
        (
            say("You may leave at any time, also out of turn."),
            pick(
                "player.resign",
                {
                    "to_neutral": "Your territories turn neutral with their armies. [A-39, A-88]",
                    "to_rebels": "Your territories turn rebel with their armies. [A-39, A-88]",
                },
            ),
            say(
                "Your cards go to the discards and armies not yet placed are lost; nobody has "
                "eliminated you. [A-88]"
            ),
            where(
                objectives,
                "Your objectives and rewards leave the game; your capital stays. [A-46, A-88]",
            ),
            where(headquarters, "Your headquarters still counts. [A-80, A-88]"),
            where(missions, "Your mission is put away unseen. [A-88]"),
            say("Whoever is left alone wins at once. [A-88]"),
        ),
    ),
)


def in_force(chosen: Chosen) -> str:
    """The expert variations that are switched on."""
    rows = [
        (chosen.has("cards.values", "plus_one"), "sets that bring 4, 5, 6, 7 … armies"),
        (
            chosen.has("fortify.reach", "connected_many"),
            "any number of moves at the end of a turn",
        ),
        (
            not chosen.has("army_cap", "0"),
            f"at most {chosen.number('army_cap')} armies on a territory",
        ),
    ]
    names = [name for on, name in rows if on]
    if not names:
        return "No expert variation of the 1993 book is in force. [3.10]"
    return f"These expert variations are in force: {listed(names)}. [3.10]"


EXPERT = Section("Expert variations", ((say(in_force),),))
