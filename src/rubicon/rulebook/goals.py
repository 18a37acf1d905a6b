"""The rulebook on neutral armies, objectives, missions, headquarters and the end (3.6 to 5)."""

from rubicon.rulebook import chapters
from rubicon.rules.options.option import Chosen
from rubicon.wording import listed

NEUTRAL = chapters.Section(
    "Neutral armies and rebels",
    (
        (
            chapters.where(
                lambda c: not c.neutral_at_start and not c.has_rebels,
                "At the start no armies are neutral; armies of players who resign become neutral. "
                "[A-25, A-39]",
            ),
            chapters.says("neutral.layout"),
            chapters.says("rebels.setup"),
            chapters.say(
                lambda c: (
                    f"{c.outsiders.title()} armies have no turns, receive no armies and never "
                    "attack; they only defend. [S003-15, S002-35]"
                )
            ),
        ),
        (
            chapters.says("neutral.dice"),
            chapters.where(
                chapters.has("cards.trigger", "captured_from_player"),
                "You earn no card by taking a territory from them, and wiping them out brings no "
                "cards. [A-14, A-79]",
                "Taking a territory from them earns a card like any other; wiping them out brings "
                "no cards. [A-14, A-79]",
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
        f"The minor objectives: [5.1]\n\n{chapters.bullets(texts['minor'])}\n\n"
        f"The major objectives: [5.1]\n\n{chapters.bullets(texts['major'])}"
    )


REWARDS = (
    "Airfield: place it on a territory of yours when you receive it; it stays there. When you "
    "attack from that territory or one next to it, or defend one of them, add 1 to your highest "
    "die. Two airfields do not add up. [RW1, A-47, S001-76]",
    "Additional manoeuvre: one more move of armies at the end of your turn. [RW2, S001-65]",
    "Starting manoeuvre: one move of armies before your first attack. [RW3, S001-66]",
    "Guaranteed card: a card every turn, even without a capture or after a claim. [RW4, S001-68]",
)
MAJOR_REWARDS = (
    "Attack die: roll one die more when you attack. [RW5, S001-13]",
    "Airfield: as above. [RW1]",
    "Defence die: roll one die more when you defend. [RW6, S001-13]",
)


def reward_list(chosen: Chosen) -> str:
    """The rewards, by class."""
    fourth = {
        "r08": "Two armies: two more armies every turn. [RW7, A-52]",
        "seed_only": "Airfield: a second one. [S001-76]",
    }[chosen.text("rewards.major_pool")]
    minor, major = chapters.bullets(REWARDS), chapters.bullets([*MAJOR_REWARDS, fourth])
    return (
        f"The rewards on minor objectives: [5.3]\n\n{minor}\n\n"
        f"The rewards on major objectives: [5.3]\n\n{major}"
    )


OBJECTIVES = chapters.Section(
    "Objectives and rewards",
    (
        (
            chapters.where(
                chapters.objectives,
                "After your attacks you may claim one objective that lies face up and whose "
                "condition you meet. You receive its reward too. You may claim only one objective "
                "a turn. An objective stays yours even if you no longer meet its condition, and "
                "claimed objectives are not replaced. [S001-49, S001-50, S001-78, A-55, A-56]",
            ),
        ),
        (chapters.where(chapters.objectives, objective_list),),
        (
            chapters.where(
                chapters.objectives,
                "“In one turn” means: territories that you did not hold as the turn began. "
                "[S001-53, S001-59]",
            ),
            chapters.where(chapters.objectives, chapters.says("objectives.continent_turn")),
            chapters.where(
                chapters.both(chapters.objectives, chapters.has("setup.capitals", "true")),
                chapters.pick(
                    "capital.dead_counts",
                    {
                        "true": "The capital of a player who is out of the game is still an "
                        "enemy capital. [A-46]",
                        "false": "The capital of a player who is out of the game is not an enemy "
                        "capital. [A-46]",
                    },
                ),
            ),
        ),
        (chapters.where(chapters.objectives, reward_list),),
        (
            chapters.where(chapters.objectives, chapters.says("reward.effective")),
            chapters.where(chapters.objectives, chapters.says("guaranteed.max_one")),
            chapters.where(chapters.objectives, chapters.says("airfield.lost")),
        ),
    ),
)


def mission_list(chosen: Chosen) -> str:
    """The deck of missions."""
    deck = [m for m in chosen.board.missions if m.id in chosen.missions]
    return f"The missions: [4.2]\n\n{chapters.bullets([f'{m.text} ({m.id})' for m in deck])}"


MISSIONS = chapters.Section(
    "Missions",
    (
        (chapters.where(chapters.missions, mission_list),),
        (
            chapters.where(
                chapters.missions,
                "Holding more than your mission asks for does no harm. [4.3]",
            ),
            chapters.says("missions.own_colour"),
            chapters.where(
                chapters.has("missions.unused_colours", "kept_24"),
                chapters.says("missions.unused_colours"),
            ),
            chapters.says("missions.killer"),
            chapters.where(
                lambda c: c.has_targets,
                lambda c: (
                    "If your target resigns, no player has destroyed it: hold "
                    f"{c.fallback} instead. [4.3, A-88]"
                ),
            ),
        ),
        (
            chapters.says("missions.check"),
            chapters.says("missions.reveal"),
            chapters.where(
                chapters.missions,
                "If several missions are complete at once, the one of the player whose turn it is "
                "wins, then the next to the left. [A-35]",
            ),
        ),
    ),
)

HEADQUARTERS = chapters.Section(
    "Headquarters",
    (
        (
            chapters.where(
                chapters.headquarters,
                "A player who loses the headquarters plays on, but cannot win before retaking it. "
                "The headquarters of a player who is out of the game still counts. "
                "[A-37, A-80]",
            ),
        ),
    ),
)


WINNING = chapters.Section(
    "Winning",
    (
        (
            chapters.says("victory.goal"),
            chapters.says("neutral.must_fall"),
            chapters.says("revised.win"),
            chapters.says("hq.needed"),
            chapters.where(
                chapters.has("victory.goal", "objectives", "headquarters"),
                "The last player left wins too. [A-81]",
            ),
            chapters.where(
                chapters.both(chapters.has("victory.goal", "objectives"), chapters.objectives),
                "A player who has lost the capital plays on, but cannot win before retaking it. "
                "[A-57]",
            ),
        ),
        (
            chapters.say(
                "A capture that wins ends the game at once: as few armies as possible move in, "
                "and nothing else happens. [A-89]"
            ),
            chapters.says("game.round_limit"),
            chapters.says("game.limit_winner"),
        ),
    ),
)

RESIGNATION = chapters.Section(
    "Resignation",
    (
        (
            chapters.say("You may resign at any time, even in another player's turn. [A-88]"),
            chapters.says("player.resign"),
            chapters.say(
                "Your cards go to the discards, and armies that you have not placed are lost. A "
                "resignation is not an elimination by another player. [A-88]"
            ),
            chapters.where(
                chapters.objectives,
                "Your objectives and rewards leave the game; your capital stays. [A-46, A-88]",
            ),
            chapters.where(chapters.headquarters, "Your headquarters still counts. [A-80, A-88]"),
            chapters.where(chapters.missions, "Your mission is put away unseen. [A-88]"),
            chapters.say("If only one player is left, that player wins at once. [A-88]"),
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
        return "This game uses no expert variation of the 1993 book. [3.10]"
    return f"This game uses these expert variations: {listed(names)}. [3.10]"


EXPERT = chapters.Section("Expert variations", ((chapters.say(in_force),),))
