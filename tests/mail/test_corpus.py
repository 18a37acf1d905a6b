"""Every message of the corpus is read, understood and judged as its file says."""

import pytest

from rubicon.mail.authority import sender_alignment
from tests.mail.corpus_messages import (
    FAILURES,
    FOLDER,
    REGISTERED,
    TOKEN,
    CorpusMessage,
    messages,
)


def with_key(*keys: str) -> list[CorpusMessage]:
    """The messages whose expectations have one of the keys."""
    return [each for each in messages().values() if any(key in each.expected for key in keys)]


def of(*keys: str) -> pytest.MarkDecorator:
    """The test runs for each message with one of the keys."""
    found = with_key(*keys)
    return pytest.mark.parametrize("message", found, ids=[each.name for each in found])


@of("kind")
def test_kind(message: CorpusMessage) -> None:
    assert message.mail().kind == message.expected["kind"]


@of("own")
def test_own_text(message: CorpusMessage) -> None:
    assert message.mail().own_text.strip() == message.expected["own"]


@of("token")
def test_token(message: CorpusMessage) -> None:
    found = {token.token: token.place for token in message.mail().tokens}
    place = message.expected["token"]
    assert found == ({TOKEN: place} if place else {})


@of("alignment")
def test_alignment(message: CorpusMessage) -> None:
    assert sender_alignment(message.mail(), REGISTERED) == message.expected["alignment"]


@of("orders")
def test_orders(message: CorpusMessage) -> None:
    commands = message.commands()
    assert commands.mistakes is None
    found = str(commands.orders).split("\n") if commands.orders is not None else None
    assert [line for line in found or [] if line] == message.expected["orders"]
    assert commands.place == message.expected["place"]
    assert commands.new_address == message.expected.get("new_address", "")


@of("question")
def test_questions(message: CorpusMessage) -> None:
    commands = message.commands()
    assert (commands.question, commands.orders) == (message.expected["question"], None)


@of("mistakes")
def test_mistakes(message: CorpusMessage) -> None:
    commands = message.commands()
    assert commands.mistakes is not None
    codes = [problem.code for problem in commands.mistakes.problems]
    assert codes == message.expected["mistakes"]


@of("passed_over")
def test_passed_over(message: CorpusMessage) -> None:
    assert list(message.commands().passed_over) == message.expected["passed_over"]


@of("verdicts")
def test_verdicts(message: CorpusMessage) -> None:
    assert message.verdicts() == message.expected["verdicts"]


@of("bounce")
def test_bounces(message: CorpusMessage) -> None:
    report = message.mail().bounce
    assert report is not None
    wanted = message.expected["bounce"]
    assert {key: getattr(report, key) for key in wanted} == wanted


@of("same_as")
def test_duplicates(message: CorpusMessage) -> None:
    other = messages()[message.expected["same_as"]]
    assert message.commands().fingerprint == other.commands().fingerprint
    assert message.mail().message_id != other.mail().message_id


def test_the_corpus_has_every_failure_of_the_catalogue() -> None:
    assert len(messages()) >= 80
    assert {each.expected["failure"] for each in messages().values()} == FAILURES.keys()


def test_only_messages_of_people_are_ever_carried_out() -> None:
    """Each expectation without orders says what happens instead."""
    for message in messages().values():
        said = {"orders", "question", "mistakes"} & message.expected.keys()
        assert (message.expected["kind"] in ("orders",)) or not said, message.name


def test_every_message_has_its_expectations() -> None:
    stems = {file.stem for file in FOLDER.glob("*.toml")}
    assert stems == messages().keys()
