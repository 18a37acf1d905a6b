"""The core of a dice server: in order, one history, and nobody's link hidden."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from rubicon.dice.crypto import REQUIRED_LENGTH, digest, is_signed, public_key, sign
from rubicon.dice.dice_server import DiceServerGame, LinkQuestion
from rubicon.dice.errors import BadEntry, DiceError
from rubicon.dice.lines.entry import Entry
from rubicon.dice.lines.request import GivenLink, LinksLine
from rubicon.dice.lines.state import given_hash, link_message

SERVER_KEY = digest("server")
RED_KEY = digest("red")
GENESIS = digest("genesis")
LINK = digest("red's link")


@pytest.fixture
def game() -> DiceServerGame:
    """A game that nobody has asked about."""
    return DiceServerGame("opaque", digest("dice"), digest("secret"), bytes(16))


def question(
    n: int = 0, *, red: bytes | None = LINK, salt: int = 0, key: bytes = SERVER_KEY
) -> LinkQuestion:
    """A table's question; `salt` makes another history of it."""
    given = {"server": given_hash(bytes(32)), "red": None if red is None else given_hash(red)}
    bare = Entry(3 * n + 2, digest("prev", salt), "links", LinksLine(n, given).form())
    entry = bare.signed(sign(key, bare.head))
    keys = {"red": public_key(RED_KEY)}
    return LinkQuestion("opaque", GENESIS, public_key(SERVER_KEY), keys, n, entry.text())


def refused(call: Callable[[], object]) -> str:
    """The code of a refusal."""
    with pytest.raises(DiceError) as error:
        call()
    return error.value.code


def handed(game: DiceServerGame, n: int, link: bytes = LINK, key: bytes = RED_KEY) -> None:
    """Red hands its link to the dice server itself."""
    head = digest("request", n)
    sig = sign(key, link_message(GENESIS, n, head, link))
    game.hand_in("red", n, head, GivenLink(link, sig))


def test_it_answers_in_order_from_0(game: DiceServerGame) -> None:
    for n in range(3):
        asked = question(n)
        given = game.answer(asked)
        assert given.link == game.own.chain.link(REQUIRED_LENGTH - 1 - n)
        head = Entry.parse(asked.line).head
        assert is_signed(game.own.key, link_message(GENESIS, n, head, given.link), given.sig)
    assert game.refusals == []


def test_its_deposit_is_the_same_for_ever(game: DiceServerGame) -> None:
    deposit = game.deposit()
    deposit.check("opaque")
    game.answer(question())
    assert game.deposit() == deposit
    assert (deposit.seat, deposit.length) == ("", REQUIRED_LENGTH)


def test_a_repeated_question_gets_the_same_answer(game: DiceServerGame) -> None:
    assert game.answer(question()) == game.answer(question())
    first = game.answer(question())
    game.answer(question(1))
    assert game.answer(question()) == first
    assert refused(lambda: game.answer(question(salt=1))) == "dice/answered"


@pytest.mark.parametrize("n", [1, 2, 16_384])
def test_nothing_is_answered_ahead(game: DiceServerGame, n: int) -> None:
    assert refused(lambda: game.answer(question(n))) == "dice/out-of-order"
    assert game.next_request == 0


def test_another_line_for_a_request_is_refused_for_ever(game: DiceServerGame) -> None:
    first = game.answer(question())
    for _ in range(2):
        assert refused(lambda: game.answer(question(salt=1))) == "dice/answered"
    assert len(game.refusals) == 1
    assert "Request 0" in game.refusals[0]
    assert game.answer(question()) == first


def test_another_genesis_is_refused(game: DiceServerGame) -> None:
    game.answer(question())
    other = replace(question(1), genesis=digest("other"))
    assert refused(lambda: game.answer(other)) == "dice/other-genesis"
    keyed = replace(question(1, key=RED_KEY), server_key=public_key(RED_KEY))
    assert refused(lambda: game.answer(keyed)) == "dice/other-genesis"
    assert len(game.refusals) == 1
    assert game.answer(question(1)).link


def test_a_public_line_sent_again_by_a_stranger_accuses_nobody(game: DiceServerGame) -> None:
    game.answer(question())
    replayed = replace(question(), genesis=digest("other"))
    assert refused(lambda: game.answer(replayed)) == "dice/other-genesis"
    assert game.refusals == []


def test_a_wrong_first_question_binds_nothing(game: DiceServerGame) -> None:
    other = replace(question(key=RED_KEY), genesis=digest("other"))
    assert refused(lambda: game.answer(other)) == "dice/wrong-line"
    assert game.answer(question()).link
    assert game.refusals == []


def test_a_line_without_the_table_servers_signature_is_refused(game: DiceServerGame) -> None:
    assert refused(lambda: game.answer(question(key=RED_KEY))) == "dice/wrong-line"
    unsigned = Entry.parse(question().line).signed(b"")
    asked = replace(question(), line=unsigned.text())
    assert refused(lambda: game.answer(asked)) == "dice/wrong-line"


def test_another_kind_or_number_of_line_is_refused(game: DiceServerGame) -> None:
    assert refused(lambda: game.answer(replace(question(), n=1))) == "dice/wrong-line"
    entry = Entry.parse(question().line)
    bare = Entry(entry.seq, entry.prev, "answer", entry.body)
    line = bare.signed(sign(SERVER_KEY, bare.head)).text()
    assert refused(lambda: game.answer(replace(question(), line=line))) == "dice/wrong-line"


def test_a_list_without_the_servers_link_is_refused(game: DiceServerGame) -> None:
    bare = Entry(2, bytes(32), "links", LinksLine(0, {"server": None}).form())
    line = bare.signed(sign(SERVER_KEY, bare.head)).text()
    assert refused(lambda: game.answer(replace(question(), line=line))) == "dice/wrong-line"


def test_a_line_that_is_none_is_refused(game: DiceServerGame) -> None:
    with pytest.raises(BadEntry):
        game.answer(replace(question(), line="{}"))


def test_a_link_that_was_handed_in_may_not_be_hidden(game: DiceServerGame) -> None:
    game.answer(question())
    handed(game, 1)
    assert refused(lambda: game.answer(question(1, red=None))) == "dice/hidden-link"
    assert "red" in game.refusals[0]
    assert game.answer(question(1)).link
    assert game.answer(question(2, red=None)).link  # it was for that request only


def test_only_links_for_the_next_request_are_taken(game: DiceServerGame) -> None:
    assert refused(lambda: handed(game, 0)) == "dice/unknown"
    game.answer(question())
    assert refused(lambda: handed(game, 0)) == "dice/out-of-order"
    assert refused(lambda: handed(game, 2)) == "dice/out-of-order"
    assert refused(lambda: handed(game, 1, key=SERVER_KEY)) == "dice/wrong-signature"
    assert game.answer(question(1, red=None)).link


def test_a_later_chain_is_known_with_the_question_that_names_it(game: DiceServerGame) -> None:
    game.answer(question())
    known, new = public_key(RED_KEY), public_key(digest("new"))
    game.answer(replace(question(1), keys={"red": known, "red.1": new}))
    assert game.keys == {"red": known, "red.1": new}
    other = replace(question(2), keys={"red": new, "red.1": new})
    assert refused(lambda: game.answer(other)) == "dice/other-key"


def test_its_secrets_are_not_shown(game: DiceServerGame) -> None:
    assert repr(game.secret) not in repr(game)
    assert repr(game.private_key) not in repr(game)
