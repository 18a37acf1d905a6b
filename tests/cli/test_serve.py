"""`rubicon serve` before the server answers: signals, and the command that runs meanwhile."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from rubicon.cli import serve
from rubicon.cli.main import USAGE, main
from tests.test_processes import is_running
from tests.waiting import until

# Prints the numbers of two processes, the second started by the first, which runs without end.
COMMAND = "sh -c 'sleep 600 & echo $$ $!; wait'"
STUBBORN = "sh -c 'trap : TERM; sleep 600 & echo $$ $!; while :; do wait; done'"


@pytest.fixture
def control_c() -> Iterator[None]:
    """Let processes get Control-C: tests in the background of a shell ignore it, and so do they."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
@pytest.mark.usefixtures("control_c")
def test_a_signal_ends_the_start_and_its_processes(number: int, tmp_path: Path) -> None:
    program = [sys.executable, "-m", "rubicon.cli.main", "serve", "--port", "0"]
    with subprocess.Popen(
        [*program, "--meanwhile", COMMAND],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            assert process.stdout is not None
            child, grandchild = map(int, process.stdout.readline().split())
            process.send_signal(number)
            assert process.wait(30) == 0
        finally:
            process.kill()
    assert not is_running(child)
    until(lambda: not is_running(grandchild))
    assert not (tmp_path / "rubicon.db").exists()


def test_a_signal_cleans_up_and_leaves_the_handlers_as_they_were() -> None:
    before = [signal.getsignal(number) for number in serve.ENDING]
    with pytest.raises(SystemExit) as ended, serve.ended_by_signals():
        signal.raise_signal(signal.SIGTERM)
    assert ended.value.code == 0
    assert [signal.getsignal(number) for number in serve.ENDING] == before


def test_a_signal_while_the_command_starts_ends_it(monkeypatch: pytest.MonkeyPatch) -> None:
    processes: list[subprocess.Popen[bytes]] = []
    started = serve._started

    def started_and_signalled(command: str) -> subprocess.Popen[bytes]:
        processes.append(started(command))
        signal.raise_signal(signal.SIGTERM)
        return processes[0]

    monkeypatch.setattr(serve, "_started", started_and_signalled)
    with pytest.raises(SystemExit), serve.ended_by_signals(), serve.running("sleep 600"):
        pytest.fail("the signal had no effect")
    assert processes[0].returncode == -signal.SIGTERM


@pytest.mark.skipif(not hasattr(os, "killpg"), reason="there are no groups of processes")
@pytest.mark.parametrize("command", [COMMAND, STUBBORN])
def test_all_that_a_command_has_started_ends_with_it(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], command: str
) -> None:
    monkeypatch.setattr(serve, "END_SECONDS", 0.2)
    printed = ""
    with serve.running(command) as process:
        assert process is not None

        def has_printed() -> bool:
            nonlocal printed
            printed += capfd.readouterr().out
            return printed.endswith("\n")

        until(has_printed)
    assert process.returncode is not None
    child, grandchild = map(int, printed.split())
    assert not is_running(child)
    until(lambda: not is_running(grandchild))


@pytest.mark.parametrize("command", ["no-such-program", "echo 'a", " "])
def test_a_command_that_cannot_be_started_is_a_sentence(
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    command: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["serve", "--port", "0", "--meanwhile", command]) == USAGE
    said = capsys.readouterr().err
    assert "cannot be started: " in said
    assert "Write --meanwhile with a program" in said
    assert "[serve/meanwhile]" in said
