"""The table of options: kinds, defaults, and that every option goes somewhere."""

import re
from typing import Any

import pytest

from rubicon.rules.choices import Claim, Deck
from rubicon.rules.followers import ANY, FOLLOWERS, stated_with_followers
from rubicon.rules.option import BadValue, Choice, CountTable, Flag, Number, Option, Use
from rubicon.rules.options import GROUPS, LEFT_OUT, OPTIONS
from rubicon.rules.ruleset_records import DERIVED
from rubicon.rules.tables import RULES

ALL = list(OPTIONS.values())
NAMES = [option.name for option in ALL]
ID = re.compile(r"A-\d\d[b-d]?|S00[0-4]-\d\d|\d\.\d+")

# Of the rulebook’s own lists; a new option must be named here and in chapter 3.
CHAPTER_3 = frozenset(
    """
    players.min players.max setup.armies setup.first_player setup.tie setup.claim setup.place
    setup.turn1 revised.capital_on_city hq.reveal reinforce.min reinforce.min_scope
    continent.timing revised.rounding reinforce.place_all pieces.exchange cards.deck cards.wilds
    cards.two_wilds_ok cards.forced cards.max_sets_per_start cards.territory_bonus
    cards.territory_bonus_cap cards.counter cards.values cards.trigger cards.draw_time elim.trade
    elim.order cards.empty cards.visibility stars.trades_per_draft stars.same_turn attack.dice_cap
    defend.dice_cap defend.extra_die attack.default defend.default dice.announce dice.source
    dice.recipients gm.notices defend.order_scope occupy.min fortify.reach fortify.count
    rebels.setup neutral.must_fall neutral.layout neutral.dice victory.check missions.deck
    missions.killer missions.check missions.tie hq.needed revised.win conquest.objectives
    player.resign game.round_limit game.limit_winner objectives.split_continents
    objectives.continent_turn capital.dead_counts airfield.effect airfield.lost bonus_die
    reward.effective guaranteed.max_one two_troops army_cap map.east_africa_middle_east
    cards.design_table stars.table missions.unused_colours missions.own_colour missions.reveal
    objectives.pool objectives.class_table rewards.major_pool airfield.place
    """.split()  # noqa: SIM905
)
IMPLIED = frozenset(
    """
    victory.goal setup.cities setup.capitals setup.starting_cards neutral.armies missions.custom
    cards.custom_designs stars.custom pieces.denominations
    """.split()  # noqa: SIM905
)


def read(name: str, given: object) -> str:
    option = OPTIONS[name]
    return option.text(option.read(given))


def refused(name: str, given: object) -> BadValue:
    with pytest.raises(BadValue) as caught:
        OPTIONS[name].read(given)
    return caught.value


class TestTable:
    def test_it_has_the_options_of_the_rulebook_and_no_others(self) -> None:
        assert set(NAMES) == CHAPTER_3 | IMPLIED

    def test_names_are_unique_and_none_is_the_beginning_of_another(self) -> None:
        assert len(NAMES) == sum(len(group.options) for group in GROUPS)
        assert not [a for a in NAMES for b in NAMES if b.startswith(f"{a}.")]

    def test_every_field_of_the_rules_is_filled_and_every_option_goes_somewhere(self) -> None:
        assert RULES.names is not None
        fields = {option.field for option in ALL if option.use is Use.RULES}
        assert fields <= set(RULES.names)
        assert set(RULES.names) - fields == DERIVED.keys() - {"setup_cities"}

    def test_what_only_the_host_and_the_display_read(self) -> None:
        table = {option.name for option in ALL if option.use is Use.TABLE}
        assert table == {
            "pieces.denominations",
            "pieces.exchange",
            "dice.source",
            "dice.recipients",
            "gm.notices",
        }

    def test_what_is_left_out_is_no_option(self) -> None:
        assert not LEFT_OUT.keys() & OPTIONS.keys()

    @pytest.mark.parametrize("option", ALL, ids=NAMES)
    def test_every_option_is_explained_and_says_where_it_comes_from(self, option: Option) -> None:
        assert option.meaning.endswith(".")
        assert option.sources
        assert all(ID.fullmatch(source) for source in option.sources)
        assert all(meaning.endswith(".") for meaning in option.values.values())

    @pytest.mark.parametrize("option", ALL, ids=NAMES)
    def test_default_and_values_read_back(self, option: Option) -> None:
        for text in (option.text(option.default), *option.values):
            assert option.text(option.read(text)) == text
        assert option.read(option.default) == option.default

    @pytest.mark.parametrize("option", ALL, ids=NAMES)
    def test_words_are_those_of_the_choices_in_order(self, option: Option) -> None:
        enum = option.kind.enum if isinstance(option.kind, Choice) else None
        if enum is not None and enum is not Deck and isinstance(option.kind, Choice):
            assert [member.name.lower() for member in enum] == list(option.kind.words)
            assert [int(member) for member in enum] == list(range(len(enum)))

    @pytest.mark.parametrize("option", ALL, ids=NAMES)
    def test_every_value_of_a_choice_has_a_meaning(self, option: Option) -> None:
        if isinstance(option.kind, Choice):
            assert list(option.values) == list(option.kind.words)
        if isinstance(option.kind, Flag):
            assert len(option.values) == len(option.kind.only)

    @pytest.mark.parametrize("option", [o for o in ALL if o.fixed], ids=lambda o: o.name)
    def test_an_option_with_one_value_says_why(self, option: Option) -> None:
        other = "false" if option.default is True else "true"
        with pytest.raises(BadValue) as caught:
            option.read(other if isinstance(option.default, bool) else "otherwise")
        assert option.why_fixed in caught.value.reason
        assert option.text(option.default) in caught.value.suggestion


class TestForms:
    @pytest.mark.parametrize(
        ("name", "given", "text"),
        [
            ("cards.deck", 44, "44"),
            ("cards.deck", "stars42", "stars42"),
            ("cards.deck", Deck.STARS, "stars42"),
            ("setup.claim", Claim.RANDOM, "random"),
            ("setup.claim", " Draft ", "draft"),
            ("setup.capitals", True, "true"),
            ("setup.capitals", "false", "false"),
            ("reinforce.min", "0", "0"),
            ("cards.max_sets_per_start", "unlimited", "unlimited"),
            ("cards.max_sets_per_start", 2, "2"),
            ("setup.cities", "board", "board"),
            ("setup.cities", 7, "7"),
            ("setup.armies", {4: 30, "3": "35"}, "3:35 4:30"),
            ("setup.armies", "3:35, 4:30", "3:35 4:30"),
            ("setup.starting_cards", {}, "none"),
            ("setup.starting_cards", "none", "none"),
            ("dice.recipients", ["gm", "attacker"], "attacker gm"),
            ("dice.recipients", "gm,attacker", "attacker gm"),
            ("missions.custom", ("M03", "M01"), "M03 M01"),
            ("missions.custom", "none", "none"),
            ("stars.custom", {"east africa": 2, "alaska": "1"}, "alaska:1 east_africa:2"),
            ("objectives.class_table", "OB02:major", "OB02:major"),
        ],
    )
    def test_values_may_be_given_in_several_forms(
        self, name: str, given: object, text: str
    ) -> None:
        assert read(name, given) == text
        assert read(name, text) == text

    @pytest.mark.parametrize(
        ("name", "given"),
        [
            ("cards.deck", 43),
            ("cards.deck", True),
            ("cards.deck", None),
            ("cards.deck", Claim.DRAFT),
            ("setup.capitals", 1),
            ("setup.capitals", "yes"),
            ("reinforce.min", 2),
            ("players.max", 7),
            ("players.min", 1),
            ("game.round_limit", -1),
            ("game.round_limit", True),
            ("game.round_limit", 1.5),
            ("setup.armies", {7: 20}),
            ("setup.armies", {3: 0}),
            ("setup.armies", "3:35 3:30"),
            ("setup.armies", "3=35"),
            ("setup.armies", 35),
            ("setup.armies", [35]),
            ("setup.starting_cards", {3: -1}),
            ("dice.recipients", []),
            ("dice.recipients", "everybody"),
            ("missions.custom", "M01 M01"),
            ("missions.custom", ["M01 M02"]),
            ("missions.custom", [1]),
            ("stars.custom", {"alaska": 3}),
            ("stars.custom", {"": 1}),
            ("stars.custom", {"a:b": 1}),
            ("stars.custom", {"east africa": 1, "east  africa": 2}),
            ("cards.custom_designs", {"alaska": "wild"}),
        ],
    )
    def test_other_values_are_refused_with_what_is_allowed(self, name: str, given: Any) -> None:
        error = refused(name, given)
        assert error.reason
        assert error.suggestion

    @pytest.mark.parametrize("name", NAMES)
    def test_no_value_is_too_long_to_refuse(self, name: str) -> None:
        for given in (10**5000, "9" * 5000, "x" * 10**5, [["x"] * 10**4], {"x": "y" * 10**5}):
            error = refused(name, given)
            assert len(error.reason + error.suggestion) < 400

    def test_the_nearest_value_is_suggested(self) -> None:
        assert "'draft'" in refused("setup.claim", "draught").suggestion
        assert "'unlimited'" in refused("stars.trades_per_draft", "unlimitd").suggestion
        assert "'all_seats'" in refused("dice.recipients", "all_seat").suggestion

    def test_numbers_for_the_kernel(self) -> None:
        assert Number(2, 2, only=(2,), words={"unlimited": 0}).number("unlimited") == 0
        assert Flag().number(True) == 1
        assert Choice(("a", "b")).number("b") == 1
        with pytest.raises(TypeError):
            CountTable(range(3), range(3)).number({})

    def test_tables_cannot_be_changed(self) -> None:
        table: Any = OPTIONS["setup.armies"].read({3: 35})
        with pytest.raises(TypeError):
            table[3] = 1


class TestFollowers:
    def test_rows_name_options_and_their_values(self) -> None:
        for row in FOLLOWERS:
            for name, text in [
                (row.option, row.value),
                (row.then, row.becomes),
                *((row.then, text) for text in row.only_from),
            ]:
                assert text == ANY or read(name, text) == text, row

    def test_no_row_is_there_twice(self) -> None:
        keys = [(row.option, row.value, row.then) for row in FOLLOWERS]
        assert len(set(keys)) == len(keys)

    def test_a_follower_does_not_move_what_is_stated_beside_it(self) -> None:
        options = {option.name: option.default for option in ALL}
        alone = stated_with_followers(options, {"missions.deck": "euro14"})
        beside = stated_with_followers(
            options, {"missions.deck": "euro14", "missions.killer": "anyone"}
        )
        assert alone["missions.killer"] == "self_else_24"
        assert beside["missions.killer"] == "anyone"
        assert beside["missions.unused_colours"] == "kept_24"

    def test_followers_move_others_in_turn_and_no_stated_one(self) -> None:
        options = {option.name: option.default for option in ALL}
        moved = stated_with_followers(options, {"victory.goal": "mission"})
        assert moved["missions.deck"] == "us12"
        moved = stated_with_followers(options, {"cards.wilds": 0})
        assert moved["cards.deck"] == "42"
        assert moved["cards.wilds"] == 0
