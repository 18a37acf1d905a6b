"""Kernels are compiled by several processes, nothing twice; whoever needs one waits for it."""

import errno
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rubicon.engine.compiler import workers
from rubicon.engine.compiler.kernel import Kernel, compiling_alone, own_folder
from rubicon.engine.compiler.workers import Compilation
from rubicon.engine.warmup import compilations_heard
from tests.engine import small_kernels

ROOT = Path(__file__).parents[2]
FIRST, SECOND = small_kernels.KERNELS


@pytest.fixture(autouse=True)
def _nothing_stored(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The kernels of the test are neither on disk nor loaded, before it and after it."""
    monkeypatch.setenv("PYTHONPATH", str(ROOT))  # a worker imports `tests` from there
    forget()
    yield
    forget()


def forget() -> None:
    folder = own_folder()
    assert folder is not None
    for file in folder.glob("small-*"):
        file.unlink()
    for procedure in (small_kernels.FIRST, small_kernels.SECOND, small_kernels.SHARED):
        procedure.overloads.clear()
        procedure._direct = None


def test_two_workers_translate_each_procedure_once(monkeypatch: pytest.MonkeyPatch) -> None:
    translated: list[str] = []
    follow = Compilation._follow

    def note(self: Compilation, lines: Iterator[str]) -> bool:
        def noted() -> Iterator[str]:
            for line in lines:
                translated.append(line)
                yield line

        return follow(self, noted())

    monkeypatch.setattr(Compilation, "_follow", note)
    with Compilation(small_kernels.KERNELS, processes=2) as compilation:
        assert compilation.seconds_left() > 0
        compilation.wait(FIRST, SECOND)
        assert compilation.seconds_left() == 0
    own = sorted(line.split(".")[-1].strip() for line in translated if "small_kernels" in line)
    assert own == ["first", "second", "shared"]
    with compilations_heard() as compiled:
        for kernel in small_kernels.KERNELS:
            assert kernel.is_stored()
            kernel.load()
        assert (small_kernels.FIRST(1), small_kernels.SECOND(99)) == (30, 41)
    assert compiled == []


def test_a_worker_imports_nothing_from_the_current_folder(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The folder may be shared, and the file another user's."""
    (tmp_path / "tempfile.py").write_text("open('was_run', 'w').close()")
    monkeypatch.chdir(tmp_path)
    with Compilation((FIRST,)) as compilation:
        compilation.wait(FIRST)
    assert not (tmp_path / "was_run").exists()
    assert FIRST.is_stored()


def test_what_is_stored_is_no_work() -> None:
    FIRST.load()
    with Compilation(small_kernels.KERNELS) as compilation:
        assert compilation.kernels == (SECOND,)


def test_a_kernel_that_another_process_compiles_is_waited_for() -> None:
    """A bot's first move waits like that, while other kernels can be loaded and called."""
    waiting = threading.Thread(target=FIRST.load)
    with compiling_alone(FIRST.name):
        waiting.start()
        SECOND.load()
        time.sleep(0.1)
        assert waiting.is_alive()
        assert small_kernels.SECOND(1) == 2
    waiting.join()
    assert small_kernels.FIRST(1) == 30


def test_a_worker_that_ends_early_leaves_the_kernel_to_others(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(workers, "START", "raise SystemExit('no memory')")
    with Compilation((FIRST,)) as compilation:
        compilation.wait(FIRST)
        assert not FIRST.is_stored()
    assert "no memory" in capfd.readouterr().err
    FIRST.load()
    assert small_kernels.FIRST(1) == 30


def test_who_waits_is_woken_while_the_last_reader_still_ends(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(workers, "START", "")
    over, read = threading.Event(), Compilation._read

    def read_and_linger(self: Compilation, worker: Any) -> None:
        read(self, worker)
        over.wait()

    monkeypatch.setattr(Compilation, "_read", read_and_linger)
    with Compilation((FIRST,)) as compilation:
        waiting = threading.Thread(target=compilation.wait, args=(FIRST,), daemon=True)
        waiting.start()
        waiting.join(20)
        hangs = waiting.is_alive()
        over.set()
    assert not hangs


def test_a_worker_that_ends_before_its_first_kernel_wakes_who_waits(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(workers, "START", "")
    failures: list[Any] = []
    monkeypatch.setattr(threading, "excepthook", failures.append)
    following = Compilation._next

    def after_its_end(self: Compilation) -> Kernel | None:
        self._workers[0].wait()
        return following(self)

    monkeypatch.setattr(Compilation, "_next", after_its_end)
    with Compilation((FIRST,)) as compilation:
        compilation.wait(FIRST)
    assert failures == []


def test_without_a_file_for_the_lock_the_kernel_is_loaded_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    path_open = Path.open

    def none_left(path: Path, *arguments: Any, **keywords: Any) -> Any:
        if path.suffix == ".lock":
            raise OSError(errno.EMFILE, "Too many open files")
        return path_open(path, *arguments, **keywords)

    monkeypatch.setattr(Path, "open", none_left)
    FIRST.load()
    assert small_kernels.FIRST(1) == 30


def test_the_estimate_goes_on_between_two_reports() -> None:
    compilation = Compilation(small_kernels.KERNELS)
    compilation._work = {FIRST.name: {"a": 100_000}, SECOND.name: {"a": 100_000, "b": 50_000}}
    begun = compilation.seconds_left()
    assert begun > compilation.seconds_left((FIRST,)) > 3
    compilation._began -= 2
    compilation._heard -= 2
    assert begun - compilation.seconds_left() == pytest.approx(2, abs=0.1)
    compilation._stored = {FIRST.name}
    assert compilation.seconds_left((FIRST,)) == 0
