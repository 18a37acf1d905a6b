"""The rulebook on a turn, on receiving armies and on cards (rulebook 3.2, 3.3)."""

from rubicon.rulebook.battle import goes_on
from rubicon.rulebook.sentences import (
    Section,
    both,
    capitals,
    has,
    lacks,
    objectives,
    say,
    says,
    sets,
    stars,
    where,
)
from rubicon.rules.options.chosen import Chosen
from rubicon.wording import number_word


def steps(chosen: Chosen) -> str:
    """The steps of a turn, in order."""
    early = chosen.has("cards.draw_time", "end_of_attack")
    late_continents = chosen.has("continent.timing", "placed_end_of_own_turn")
    forced = "if you like" if chosen.has("cards.forced", "none") else "if you like or must"
    rows = [
        (f"Receive armies, trade cards {forced}, and place your armies.", True),
        ("Move armies once, if you have the starting manoeuvre.", objectives(chosen)),
        ("Attack, as often as you like or not at all.", True),
        ("Draw a card if you have earned one.", early),
        ("Claim one objective if you meet its condition.", objectives(chosen)),
        ("Fortify: move armies between your territories, if you like.", True),
        ("Draw a card if you have earned one.", not early),
        ("Place the armies for your continents.", late_continents),
    ]
    there = [text for text, is_there in rows if is_there]
    numbered = "\n".join(f"{number}. {text}" for number, text in enumerate(there, 1))
    return f"A turn has {number_word(len(there))} steps: [S002-09, S001-31]\n\n{numbered}"


TURN = Section(
    "Your turn",
    (
        (say(steps),),
        (
            say(
                "Once you have stopped attacking you cannot attack again in that turn. Then the "
                "next player to the left takes a turn; players who are out of the game are passed "
                "over. [A-77, S000-19]"
            ),
        ),
    ),
)

ARMIES = Section(
    "Receiving armies",
    (
        (
            says("revised.rounding"),
            says("reinforce.min"),
            says("reinforce.min_scope"),
        ),
        (
            says("continent.timing"),
            say(
                "You hold a continent only while you hold all of its territories; a single "
                "territory in other hands, even in neutral ones, is enough to lose it. [A-78]"
            ),
        ),
        (
            where(
                capitals,
                "Every capital on a territory of yours brings one more army, your own capital and "
                "captured ones alike. [S001-35]",
            ),
            says("capital.dead_counts"),
        ),
        (
            where(
                has("cards.forced", "none"),
                "Trade cards and place armies in any order. You must place all of your armies "
                "before you go on. [A-65, A-84, S001-42]",
                "Trade cards and place armies in any order. You must place all of your armies, and "
                "make every trade that is forced, before you go on. [A-65, A-84, S001-42]",
            ),
            says("army_cap"),
        ),
    ),
)


CARDS = Section(
    "Cards",
    (
        (says("cards.deck"), says("cards.design_table"), says("stars.table")),
        (
            says("cards.trigger"),
            say("You earn one card a turn, however much you capture. [A-69, S000-17]"),
            says("cards.draw_time"),
            says("cards.empty"),
            says("cards.visibility"),
        ),
        (
            where(
                sets,
                "A set is three cards of one design, or one card of each design. "
                "[S003-24, S004-16]",
            ),
            says("cards.wilds"),
            says("cards.two_wilds_ok"),
            where(sets, says("cards.values")),
        ),
        (
            says("cards.max_sets_per_start"),
            where(sets, says("cards.forced")),
            where(sets, says("cards.territory_bonus")),
            where(
                lambda c: sets(c) and c.has("cards.territory_bonus", "2"),
                says("cards.territory_bonus_cap"),
            ),
        ),
        (
            where(stars, says("cards.values")),
            says("stars.trades_per_draft"),
            where(stars, says("cards.forced")),
            where(
                stars,
                "The territories on the cards bring no extra armies. You may not trade a card in "
                "the turn in which you received it. [A-42, S001-39]",
            ),
        ),
        (
            where(
                both(goes_on, lacks("elim.trade", "none")),
                "Cards can also be traded after you have eliminated a player: see Elimination. "
                "[A-22]",
            ),
        ),
    ),
)
