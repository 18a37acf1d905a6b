"""Whether an entry may stand behind a chain in this state; BadEntry says why not."""

from __future__ import annotations

from rubicon.dice.asks import Batch, Gives, Sealed, SeatDice, SecretPick, batch_roll
from rubicon.dice.bodies import (
    AnswerBody,
    Body,
    Deposit,
    Genesis,
    Keeper,
    Request,
    Reveal,
    RolledDice,
    Shown,
)
from rubicon.dice.errors import BadEntry, quoted, require, require_same
from rubicon.dice.hashing import same
from rubicon.dice.seeds import next_down, request_id, sealed_card
from rubicon.dice.state import DiceState, SeatLinks


def check_body(state: DiceState, body: Body) -> None:
    """See that the entry is due, and that it follows from what stands before it.

    What only the seeds can tell is left to `opening.check_opening`.
    """
    check_turn(state, body)
    match body:
        case Deposit():
            check_deposit(state, body)
        case Request():
            check_request(state, body)
        case AnswerBody():
            check_answer(state, body)
        case RolledDice():
            check_rolled(state, body)
        case Shown():
            check_shown(state, body)
        case Genesis() | Reveal():
            pass


def check_turn(state: DiceState, body: Body) -> None:
    """A chain begins with its genesis, ends with its reveal, and owes at most one thing."""
    kind = body.kind
    begins = (state.genesis is None) == (kind == Genesis.kind)
    require(begins, "genesis", "A chain has one genesis, first.", "another kind", kind)
    require(not state.closed, "closed", "The chain was closed by its reveal.", "the end", kind)
    due = AnswerBody.kind if state.owed else RolledDice.kind if state.unrolled else ""
    if due:
        require(kind == due, f"{due}-owed", "The chain takes only what it owes.", due, kind)
    else:
        idle = kind not in {AnswerBody.kind, RolledDice.kind}
        require(idle, "nothing-owed", "Nothing was asked.", "another kind", kind)


def check_deposit(state: DiceState, body: Deposit) -> None:
    """A new chain for a seat.

    One that the dice side keeps follows only on one that is used up or was a seat's: whoever could
    deposit at will could choose among dice.
    """
    _require_seat(state, body.seat)
    before = state.links.get(body.seat)
    if before and before.live and before.keeper == body.keeper == Keeper.DICE:
        message = f"The chain kept for {body.seat} is not used up."
        used = f"{before.length} links opened"
        raise BadEntry("deposit-too-soon", message, used, str(before.used))
    new = body.link not in state.known_links
    require(new, "link-known", "The link was seen before.", "a new link", body.link.hex())


def check_made(state: DiceState, body: Body) -> None:
    """See that an entry is due whose body was computed from this state just now."""
    check_turn(state, body)
    if isinstance(body, Request):
        check_asked(state, body)
    elif isinstance(body, AnswerBody):
        check_answered(state, body)
    else:
        check_body(state, body)


def check_request(state: DiceState, body: Request) -> None:
    """A request names its order, comes once, and comes after all earlier ones of the game's log."""
    rid = request_id(state.begun.game, body.seat, body.duty, body.entry, body.order)
    check_asked(state, body, rid)


def check_asked(state: DiceState, body: Request, rid: bytes | None = None) -> None:
    """A request comes once, and after all earlier ones; `rid` is the id of its order, if known."""
    if body.seat:
        _require_seat(state, body.seat)
    for seat in state.begun.seats:
        if seat not in state.links:
            message = "Every seat has a hash chain before the first request."
            raise BadEntry("no-deposit", message, f"a deposit for {seat}", body.kind)
    if rid is not None:
        require_same("wrong-rid", "The request is not that of its order.", rid, body.rid)
    if body.entry <= state.last_entry:
        message, after = (
            "An entry of the game's log asks once.",
            f"an entry above {state.last_entry}",
        )
        raise BadEntry("asked-before", message, after, str(body.entry))
    match body.ask:
        case SeatDice(seats):
            for seat in seats:
                _require_seat(state, seat)
        case SecretPick(owner):
            _require_seat(state, owner)


def check_answer(state: DiceState, body: AnswerBody) -> None:
    """An answer is to what was asked, with the links of the others, and gives what its key says."""
    check_answered(state, body)
    request = state.owed
    assert request is not None
    if isinstance(request.ask, SecretPick):
        sealed = isinstance(body.gives, Sealed)
        require(sealed, "wrong-gives", "A secret pick is sealed.", "sealed", str(body.gives))
    else:
        _check_gives(request.ask.given(body.key), body.gives)


def check_answered(state: DiceState, body: AnswerBody) -> None:
    """An answer is to what was asked, with the links of the others."""
    request = state.owed
    assert request is not None
    require_same("other-request", "The answer is to another request.", request.rid, body.rid)
    _check_contributors(state, request, body)
    for seat, link in body.links.items():
        _check_link(seat, state.links[seat], link)


def _check_contributors(state: DiceState, request: Request, body: AnswerBody) -> None:
    own, message = request.seat, f"A link of {request.seat} enters its own roll."
    require(own not in body.links, "own-link", message, "links of the others only", own)
    wanted, found = sorted(state.contributors(own)), sorted(body.links)
    message = "Every other seat with links left opens one."
    if wanted != found:
        raise BadEntry("links", message, quoted(wanted), quoted(found))


def _check_link(seat: str, before: SeatLinks, link: bytes | None) -> None:
    if link is None:
        message = f"The chain of {seat} is kept by the dice side, which is never silent."
        require(before.keeper == Keeper.SEAT, "silent", message, "a link", "null")
    elif not same(before.link, found := next_down(link)):
        message = f"The link of {seat} does not lead to the one before it."
        raise BadEntry("wrong-link", message, before.link.hex(), found.hex())


def _check_gives(wanted: Gives, found: Gives) -> None:
    if wanted != found:
        message = "What chance gave does not follow from the key."
        raise BadEntry("wrong-dice", message, str(wanted), str(found))


def check_rolled(state: DiceState, body: RolledDice) -> None:
    """The rolls of a batch follow from the answer's key, from the first on and not too many."""
    request = state.unrolled
    assert request is not None
    assert isinstance(request.ask, Batch)
    require_same("other-request", "The rolls are of another request.", request.rid, body.rid)
    count, most = len(body.rolls), request.ask.rolls
    require(1 <= count <= most, "rolls", "Not as many as asked.", f"1 to {most}", str(count))
    key = state.answers[body.rid].key
    for number, found in enumerate(body.rolls):
        both = bool(found.attack and found.defence)
        require(both, "rolls", f"Roll {number} lacks a side.", "dice on both", str(found))
        _check_gives(batch_roll(key, number, len(found.attack), len(found.defence)), found)


def check_shown(state: DiceState, body: Shown) -> None:
    """A card is shown once, and is the one that was sealed."""
    answer = state.answers.get(body.rid)
    gives = answer.gives if answer and body.rid not in state.shown else None
    if not isinstance(gives, Sealed):
        message = "No pick of this request is sealed."
        raise BadEntry("nothing-sealed", message, "the id of a secret pick", body.rid.hex())
    found = sealed_card(body.salt, body.index, body.thing)
    require_same("wrong-card", "This card is not what was sealed.", gives.sealed, found)


def _require_seat(state: DiceState, seat: str) -> None:
    seats = state.begun.seats
    if seat not in seats:
        require(False, "seat", "There is no such seat.", " or ".join(seats), seat)
