"""The declarations of options: kinds, defaults, meanings, implied values, forms."""

import json
import re
from typing import Any

import pytest

from rubicon.engine.codes import ClaimMode, Deck
from rubicon.engine.records import RULES
from rubicon.errors import RubiconError
from rubicon.rules.options.kinds import BadValue, Choice, CountTable, Flag, Number
from rubicon.rules.options.option import Option, Use
from rubicon.rules.options.registry import (
    ANY_VALUE,
    ELSEWHERE,
    GROUPS,
    IMPLIED,
    LEFT_OUT,
    OPTIONS,
    option_form,
    option_forms,
    with_implied,
)
from rubicon.rules.refusals import REASONS
from rubicon.rules.ruleset.ruleset import DERIVED

ALL = list(OPTIONS.values())
NAMES = [option.name for option in ALL]
ID = re.compile(r"A-\d\d[b-d]?|S00[0-4]-\d\d|\d\.\d+|own")

# The options of chapter 3 of the collection of rules; those of Rubicon alone have the source `own`.
CHAPTER_3 = frozenset(
    """
    players.min players.max setup.armies setup.first_player setup.tie setup.claim setup.place
    setup.turn1 revised.capital_on_city hq.reveal reinforce.min reinforce.min_scope
    continent.timing revised.rounding reinforce.place_all pieces.exchange cards.deck cards.wilds
    cards.two_wilds_ok cards.forced cards.max_sets_per_start cards.territory_bonus
    cards.territory_bonus_cap cards.counter cards.values cards.trigger cards.draw_time elim.trade
    elim.order cards.empty cards.visibility stars.trades_per_draft stars.same_turn attack.dice_cap
    defend.dice_cap defend.extra_die attack.default defend.default dice.announce
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
BY_THE_PRESETS = frozenset(
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
    def test_it_has_the_options_of_the_rulebook_and_its_own(self) -> None:
        own = {option.name for option in ALL if option.sources == ("own",)}
        assert set(NAMES) - own == CHAPTER_3 | BY_THE_PRESETS
        assert all(option.default in (0, False) for option in ALL if option.name in own)

    def test_names_are_unique_and_none_is_the_beginning_of_another(self) -> None:
        assert len(NAMES) == sum(len(group.options) for group in GROUPS)
        assert not [a for a in NAMES for b in NAMES if b.startswith(f"{a}.")]

    def test_every_field_of_the_rules_has_its_option(self) -> None:
        assert RULES.names is not None
        fields = {option.field for option in ALL if option.use is Use.RULES}
        assert fields <= set(RULES.names)
        assert set(RULES.names) - fields == DERIVED.keys() - {"setup_cities"}

    def test_options_of_what_is_shown_and_told(self) -> None:
        table = {option.name for option in ALL if option.use is Use.TABLE}
        assert table == {
            "pieces.denominations",
            "pieces.exchange",
            "dice.recipients",
            "gm.notices",
        }

    def test_variations_that_are_not_built_are_no_options(self) -> None:
        assert not (LEFT_OUT.keys() | ELSEWHERE.keys()) & OPTIONS.keys()

    def test_every_refusal_that_an_option_words_is_in_the_list_of_refusals(self) -> None:
        worded = {code: reason for option in ALL for code, reason in option.refusals.items()}
        assert worded
        assert all(REASONS[code] is reason for code, reason in worded.items())

    @pytest.mark.parametrize("option", ALL, ids=NAMES)
    def test_conditions_and_conflicts_name_options_and_their_values(self, option: Option) -> None:
        for condition in option.only_if:
            name, _, texts = condition.partition("=")
            assert all(read(name, text) == text for text in texts.split()), condition
        for conflict in option.conflicts:
            assert set(conflict.options) <= OPTIONS.keys()
            assert conflict.reason.endswith(".")

    @pytest.mark.parametrize("option", ALL, ids=NAMES)
    def test_every_option_is_explained_and_says_where_it_comes_from(self, option: Option) -> None:
        assert option.meaning.endswith(".")
        assert option.sources
        assert all(ID.fullmatch(source) for source in option.sources)
        assert all(meaning.text.endswith(".") for meaning in option.values.values())

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


class TestWaysToWriteValues:
    @pytest.mark.parametrize(
        ("name", "given", "text"),
        [
            ("cards.deck", 44, "44"),
            ("cards.deck", "stars42", "stars42"),
            ("cards.deck", Deck.STARS, "stars42"),
            ("setup.claim", ClaimMode.RANDOM, "random"),
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
            ("cards.deck", ClaimMode.DRAFT),
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

    def test_numbers_for_the_engine(self) -> None:
        assert Number(2, 2, only=(2,), words={"unlimited": 0}).number("unlimited") == 0
        assert Flag().number(True) == 1
        assert Choice(("a", "b")).number("b") == 1
        with pytest.raises(TypeError):
            CountTable(range(3), range(3)).number({})

    def test_tables_cannot_be_changed(self) -> None:
        table: Any = OPTIONS["setup.armies"].read({3: 35})
        with pytest.raises(TypeError):
            table[3] = 1


class TestImplied:
    def test_rows_name_options_and_their_values(self) -> None:
        for row in IMPLIED:
            for name, text in [
                (row.option, row.value),
                (row.then, row.becomes),
                *((row.then, text) for text in row.only_from),
            ]:
                assert text == ANY_VALUE or read(name, text) == text, row

    def test_no_row_is_there_twice(self) -> None:
        keys = [(row.option, row.value, row.then) for row in IMPLIED]
        assert len(set(keys)) == len(keys)

    def test_an_implied_value_does_not_replace_one_stated_beside_it(self) -> None:
        options = {option.name: option.default for option in ALL}
        alone = with_implied(options, {"missions.deck": "euro14"})
        beside = with_implied(options, {"missions.deck": "euro14", "missions.killer": "anyone"})
        assert alone["missions.killer"] == "self_else_24"
        assert beside["missions.killer"] == "anyone"
        assert beside["missions.unused_colours"] == "kept_24"

    def test_implied_values_imply_others_and_replace_no_stated_one(self) -> None:
        options = {option.name: option.default for option in ALL}
        moved = with_implied(options, {"victory.goal": "mission"})
        assert moved["missions.deck"] == "us12"
        moved = with_implied(options, {"cards.wilds": 0})
        assert moved["cards.deck"] == "42"
        assert moved["cards.wilds"] == 0


class TestForms:
    def test_a_choice_lists_its_values_with_what_they_mean_and_imply(self) -> None:
        form = option_form("setup.claim")
        assert (form["type"], form["default"], form["group"]) == ("choice", "draft", "Set-up")
        assert [value["value"] for value in form["values"]] == [
            *("draft", "deal_cards", "deal_three_piles", "random")
        ]
        assert "neutral.layout = fourteen" in form["values"][2]["implies"]
        assert all(value["help"] for value in form["values"])

    def test_a_number_has_its_range_and_words(self) -> None:
        cities = option_form("setup.cities")
        assert cities["type"] == "number"
        assert cities["range"] == {"low": 0, "high": 128, "words": ["board"]}
        assert [value["value"] for value in option_form("cards.wilds")["values"]] == ["2", "0"]

    def test_tables_say_what_they_are_keyed_by(self) -> None:
        armies = option_form("setup.armies")
        assert (armies["type"], armies["range"]["keys"]) == ("counts", [2, 3, 4, 5, 6])
        assert option_form("stars.custom")["range"] == {"of": "territory", "low": 1, "high": 2}

    def test_conditions_say_when_a_field_matters(self) -> None:
        assert option_form("hq.needed")["only_if"] == ["victory.goal=headquarters"]

    def test_an_option_with_one_value_says_why(self) -> None:
        assert option_form("elim.order")["fixed"] == "the occupation is immediate"

    def test_the_truce(self) -> None:
        truce = option_form("attack.truce")
        assert (truce["type"], truce["default"]) == ("number", "0")
        assert (truce["range"]["low"], truce["range"]["high"]) == (0, 10)
        assert "truce" in truce["help"]

    def test_every_option_has_a_form_that_is_json(self) -> None:
        forms = json.loads(json.dumps(option_forms()))
        assert [form["name"] for form in forms] == NAMES
        assert all(form["help"] and form["sources"] for form in forms)

    def test_an_unknown_option_is_refused(self) -> None:
        with pytest.raises(RubiconError) as caught:
            option_form("attack.truse")
        assert caught.value.code == "ruleset/unknown-option"


class TestLabels:
    def test_every_option_has_a_short_label_of_its_own(self) -> None:
        labels = [form["label"] for form in option_forms()]
        assert len(set(labels)) == len(OPTIONS)
        assert all(0 < len(label) <= 30 for label in labels)

    def test_the_values_of_an_option_have_different_labels(self) -> None:
        for form in option_forms():
            labels = [value["label"] for value in form["values"]]
            assert len(set(labels)) == len(labels), form["name"]
            assert all(0 < len(label) <= 30 and "_" not in label for label in labels)

    def test_labels_are_declared_or_made_from_the_value(self) -> None:
        claim = {value["value"]: value["label"] for value in option_form("setup.claim")["values"]}
        assert (claim["deal_cards"], claim["random"]) == ("Dealt", "Random")
        border = option_form("map.east_africa_middle_east")["values"]
        assert [value["label"] for value in border] == ["Yes", "No"]
