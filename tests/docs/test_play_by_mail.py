"""`docs/play-by-mail.md`: its orders and words are read, its settings and limits are true."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rubicon.mail import inbox, mail_server, message_work, step_runner, strangers
from rubicon.mail import mail_server as connections
from rubicon.mail.mail_service import play_by_mail, receivers_of
from rubicon.mail.mail_steps import MOST_STEPS
from rubicon.mail.message_work import HELP
from rubicon.mail.order_lines import AccountWord, account_line
from rubicon.mail.step_runner import preferences_of
from rubicon.orders.parse.parser import read_orders
from rubicon.rules.board.board import Board
from rubicon.server.notifications import NotificationPreferences
from rubicon.server.settings import read_settings
from tests.mail.receiving.inboxes import MemoryInbox

PAGE = (Path(__file__).parents[2] / "docs" / "play-by-mail.md").read_text("utf-8")
CONFIGURATIONS = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
SEATS = ["red", "blue", "green"]


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)


def test_the_turn_is_understood() -> None:
    (turn,) = blocks("orders")
    assert read_orders(turn, Board.load("world"), SEATS).ended


def test_the_words_are_understood() -> None:
    table = PAGE.partition("### Other words")[2].partition("###")[0]
    words = [cell for row in table.splitlines() if row.startswith("| `")
             for cell in re.findall(r"`([^`]+)`", row.split("|")[1])]  # fmt: skip
    assert len(words) > 15
    for word in words:
        text = "PRESS TO blue\nHi\nENDPRESS" if word.startswith(("PRESS", "ENDPRESS")) else word
        if (setting := account_line(word)) is not None:
            NotificationPreferences(**preferences_of(setting)).check()
        elif not word.startswith("ADDRESS"):
            assert read_orders(text, Board.load("world"), SEATS) is not None


@pytest.mark.parametrize("word", HELP)
def test_every_example_of_help_is_understood(word: str) -> None:
    if word in AccountWord.__members__:
        sentences = HELP[word].split(". ")
        settings = filter(None, (account_line(each.split(": ")[0]) for each in sentences))
        examples = [NotificationPreferences(**preferences_of(each)) for each in settings]
        assert examples
        for chosen in examples:
            chosen.check()
        return
    example = HELP[word].partition(":")[0].partition(", or")[0].partition(" with orders")[0]
    if word in ("PRESS", "ADDRESS"):
        return
    if word == "IF":
        example = HELP[word]
    if word == "VOTE":
        example = "VOTE EXTEND"
    read_orders(example, Board.load("world"), SEATS)


@pytest.mark.parametrize("configuration", CONFIGURATIONS)
def test_configurations_are_settings(configuration: str, tmp_path: Path) -> None:
    file = tmp_path / "rubicon.toml"
    uncommented = re.sub(r"^# (mail_reply_to)", r"\1", configuration, flags=re.MULTILINE)
    file.write_text(uncommented)
    settings = read_settings(file, environment={})
    assert play_by_mail(settings) is not None
    receivers_of(settings.mail_receive.split(), MemoryInbox(), [], poll=30)


def test_the_limits_are_those_of_the_program() -> None:
    limits = PAGE.partition("### Limits")[2].partition("###")[0]
    for number in (
        f"{mail_server.MOST_BYTES // 1024**2} MiB",
        f"{inbox.MOST_WAITING:,}",
        f"sender {inbox.MOST_OF_SENDER},",
        f"{inbox.MOST_BYTES_WAITING // 1024**2} MiB in all",
        f"{message_work.MOST_OF_SEAT} an hour",
        f"{strangers.MOST_RETURNED} an hour in all",
        f"{message_work.MOST_DOUBTFUL} an hour; none",
        f"requests in one e-mail | {MOST_STEPS} |",
        f"{step_runner.MOST_CODES} an hour",
        f"| {connections.MOST_CONNECTIONS}, of one peer {connections.MOST_OF_PEER};",
        f"{mail_server.IDLE_SECONDS:.0f} s without a word",
        f"{connections.MESSAGE_SECONDS / 60:.0f} minutes without an e-mail",
        f"{connections.SESSION_SECONDS / 60:.0f} minutes in all",
    ):
        assert number in limits, number
