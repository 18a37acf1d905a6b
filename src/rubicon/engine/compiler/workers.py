"""Compiles kernels in their own processes: as many as there are processors, nothing twice.

Each worker compiles one kernel at a time, and shares what it translates. It prints a line for each
procedure that it has translated and for each kernel that it has stored, so the process that has
started it knows how much is left. A worker ends when that process is gone: its next line cannot be
printed.
"""

import hashlib
import itertools
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Self

from numba.core import serialize
from numba.core.bytecode import FunctionIdentity
from numba.core.environment import _rebuild_env, lookup_environment
from numba.core.event import Listener, register
from numba.core.registry import cpu_target

from rubicon.engine.compiler.kernel import PACKAGE, Kernel, locked, own_folder
from rubicon.engine.compiler.linker import ENVIRONMENT, ProcedureLibrary, library_of_bitcode
from rubicon.engine.compiler.stamp import Stamps

# Translated procedures, shared by processes that compile different kernels at the same time.
#
# The rules are in every kernel, so without this each process would translate them again. A process
# claims a procedure by a lock on a file, translates it, and stores the result under a name that
# says which source it was made from. Another process that needs it waits for the lock, and reads
# it. No procedures call each other in a circle, so the processes cannot wait for each other.


class StoredCode(NamedTuple):
    """Intermediate code, with the environments that it names: module, constants, symbol."""

    bitcode: bytes
    environments: tuple[tuple[str, list[Any], str], ...]

    @classmethod
    def of(cls, module: Any) -> Self:
        """The code of a module of LLVM."""
        symbols = (variable.name for variable in module.global_variables)
        known = [lookup_environment(one) for one in symbols if one.startswith(ENVIRONMENT)]
        environments = [
            (one.globals["__name__"], list(one.consts), one.env_name)
            for one in known
            if one is not None
        ]
        return cls(module.as_bitcode(), tuple(environments))

    def library(self, name: str, *, foreign: bool = False) -> ProcedureLibrary:
        """The code as a library of this process."""
        codegen = cpu_target.target_context.codegen()
        library = library_of_bitcode(codegen, name, self.bitcode, foreign=foreign)
        for module, constants, symbol in self.environments:
            # Numba's own table of them keeps none alive.
            library.environments.append(_rebuild_env(module, constants, symbol))
        return library


class StoredTranslation(NamedTuple):
    """What callers of a procedure need of its translation."""

    description: Any
    signature: Any
    code: StoredCode
    callees: tuple[str, ...]  # keys of procedures
    others: tuple[str, ...]  # keys of what Numba compiles itself, such as `min`


class Translated(NamedTuple):
    """A translation that was read; it has what `Procedure` and `Kernel` take of Numba's result."""

    fndesc: Any
    signature: Any
    library: ProcedureLibrary
    environment: Any
    call_helper: None
    target_context: Any
    entry_point: Any = None


class SharedTranslations:
    """The translations in a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._stamps = Stamps()
        self._libraries: dict[str, Any] = {}  # by key, of this process
        self._keys: dict[Any, str] = {}  # the other way round

    def get(self, procedure: Any, signature: Any, translate: Callable[[], Any]) -> Any:
        """The translation of a procedure, made here or by another process."""
        key = self._key_of(procedure, signature)
        file = self._folder / key
        with locked(file.with_suffix(".lock")):
            if file.exists():
                return self._read(key)
            result = translate()
            self._register(key, result.library)
            self._store(file, result)
        return result

    def _key_of(self, procedure: Any, signature: Any) -> str:
        stamp = self._stamps.of(procedure.py_func)
        options = sorted(procedure.targetoptions.items())
        return hashlib.sha256(repr((stamp, options, str(signature))).encode()).hexdigest()[:32]

    def _register(self, key: str, library: Any) -> None:
        self._libraries[key] = library
        self._keys[library] = key

    def _store(self, file: Path, result: Any) -> None:
        """Write a translation, unless it holds addresses of this process."""
        library = result.library
        callees, others = [], []
        for one in library._linking_libraries:
            if not isinstance(one, ProcedureLibrary) or one.foreign:
                others.append(self._store_other(one))
            elif one in self._keys and (self._folder / self._keys[one]).exists():
                callees.append(self._keys[one])
            else:
                return
        if library._reload_init or library.names_addresses():
            return
        result.fndesc.typemap = result.fndesc.calltypes = None  # as Numba does before it pickles
        _write(
            file,
            StoredTranslation(
                result.fndesc,
                result.signature,
                StoredCode.of(library._final_module),
                tuple(callees),
                tuple(others),
            ),
        )

    def _store_other(self, library: Any) -> str:
        if library not in self._keys:
            code = StoredCode.of(library._get_module_for_linking())
            key = hashlib.sha256(code.bitcode).hexdigest()[:32]
            self._register(key, library)
            _write(self._folder / key, code)
        return self._keys[library]

    def _read(self, key: str) -> Translated:
        stored = self._stored(key)
        library = self._library(key, stored)
        target = cpu_target.target_context
        environment = lookup_environment(stored.description.env_name)
        return Translated(
            fndesc=stored.description,
            signature=stored.signature,
            library=library,
            environment=environment,
            call_helper=None,
            target_context=target,
        )

    def _stored(self, key: str) -> StoredTranslation:
        stored: StoredTranslation = serialize.loads((self._folder / key).read_bytes())
        return stored

    def _library(self, key: str, stored: StoredTranslation) -> ProcedureLibrary:
        if key not in self._libraries:
            library = stored.code.library(stored.description.qualname)
            self._register(key, library)
            for callee in stored.callees:
                known = self._libraries.get(callee)
                _link(library, known or self._read(callee).library)
            for other in stored.others:
                _link(library, self._other(other))
        found: ProcedureLibrary = self._libraries[key]
        return found

    def _other(self, key: str) -> Any:
        if key not in self._libraries:
            code: StoredCode = serialize.loads((self._folder / key).read_bytes())
            self._register(key, code.library(key, foreign=True))
        return self._libraries[key]


class Sharing:
    """What this process shares; None where it compiles alone."""

    translations: SharedTranslations | None = None


def _link(library: Any, callee: Any) -> None:
    library.add_linking_library(callee)


def _write(file: Path, content: Any) -> None:
    """Give the file its name last, so that another process reads it whole or not at all."""
    unfinished = file.with_suffix(f".{os.getpid()}")
    unfinished.write_bytes(serialize.dumps(content))
    unfinished.replace(file)


# Processes that compile, and how much they still have to do.

# Linking and optimising a kernel takes about a third of the time that its translation takes.
LINKING = 0.3
# Bytes of bytecode that one process translates in a second, and for how many seconds that guess
# counts against what is measured: a 2024 server at 2.6 GHz, and as long as the first procedures
# take, which must also wake up the compiler.
SPEED = 8_000.0
GUESSED = 4.0
STARTING = 1.5  # seconds until a worker has imported the compiler
DONE = "stored"
START = (
    "import sys; sys.path.insert(0, sys.argv[1]);"
    "from rubicon.engine.compiler.workers import work; work(sys.argv[2], int(sys.argv[3]))"
)


class Compilation:
    """Kernels that workers compile; those that are on disk are none of its business."""

    def __init__(self, kernels: Iterable[Kernel], processes: int | None = None) -> None:
        self._waiting = [
            one for one in kernels if one.home and not (one.is_loaded() or one.is_stored())
        ]
        self.kernels = tuple(self._waiting)
        self._processes = processes or os.cpu_count() or 1
        self._work = {one.name: _work_of(one) for one in self.kernels}
        self._translated: set[str] = set()
        self._stored: set[str] = set()
        self._workers: list[subprocess.Popen[str]] = []
        self._readers: list[threading.Thread] = []
        self._reading = 0  # readers that have not ended yet
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._changed = threading.Condition()
        self._began = self._heard = time.monotonic()
        self.awaited: Sequence[Kernel] | None = None  # what `wait` waits for; at first all

    def __enter__(self) -> Self:
        """Start the workers; none where there is nothing to do, or nowhere to store it."""
        if self.kernels and own_folder() is not None:
            self._folder = tempfile.TemporaryDirectory(
                prefix="rubicon-", ignore_cleanup_errors=True
            )
            RUNNING.append(self)
            try:
                for number in range(min(self._processes, len(self.kernels))):
                    self._start_worker(number)
            except BaseException:  # such as control-C: `__exit__` is not called then
                self.stop()
                raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.stop()

    def stop(self) -> None:
        """End the workers; a kernel that is not stored yet is left out."""
        for worker in self._workers:
            worker.kill()
        with suppress(ValueError):
            RUNNING.remove(self)
        for reader in self._readers:
            reader.join()
        if self._folder is not None:
            self._folder.cleanup()

    def wait(self, *kernels: Kernel) -> None:
        """Wait until the workers have stored these kernels, or until they have all ended."""
        names = {one.name for one in kernels} & set(self._work)
        if names:
            self.awaited = kernels
        with self._changed:
            self._changed.wait_for(lambda: names <= self._stored or not self.is_running)

    def seconds_left(self, kernels: Sequence[Kernel] | None = None) -> float:
        """An estimate of how long it takes until these kernels, or all, are stored."""
        everything = list(self._work)
        chosen = everything if kernels is None else [one.name for one in kernels]
        names = [name for name in chosen if name in self._work and name not in self._stored]
        if not names:
            return 0.0
        heard = self._heard - self._began
        whole = self._left(everything, translated=set(), stored=set())
        finished = whole - self._left(everything, self._translated, self._stored)
        workers = max(1, len(self._workers))
        speed = (finished + GUESSED * SPEED * workers) / (max(0.0, heard - STARTING) + GUESSED)
        # One worker compiles a kernel: the largest is ready last, even if the others have time.
        largest = max(self._left([name], self._translated, self._stored) for name in names)
        left = max(largest * workers, self._left(names, self._translated, self._stored)) / speed
        # Linking says nothing for seconds, and the time goes on.
        return max(1.0, left + max(STARTING, heard) - (time.monotonic() - self._began))

    def _left(self, names: Sequence[str], translated: set[str], stored: set[str]) -> float:
        """Bytes of bytecode that are to be translated, and those to be linked, weighed."""
        waiting = [name for name in names if name not in stored]
        procedures: dict[str, int] = {}
        for name in waiting:
            procedures.update(self._work[name])
        translation = sum(size for one, size in procedures.items() if one not in translated)
        return translation + LINKING * sum(sum(self._work[name].values()) for name in waiting)

    @property
    def is_running(self) -> bool:
        """Whether a worker still has something to do."""
        return self._reading > 0

    def _start_worker(self, number: int) -> None:
        assert self._folder is not None
        arguments = [str(PACKAGE.parent), self._folder.name, str(number)]
        # Without -P a worker would import modules from the current folder, which may be anyone's.
        command = [sys.executable, "-P", "-c", START, *arguments]
        try:
            worker = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
            )
        except OSError:  # no process can be started: whoever needs the kernel compiles it
            return
        self._workers.append(worker)
        reader = threading.Thread(target=self._read, args=(worker,), daemon=True)
        with self._changed:
            self._reading += 1
        try:
            reader.start()
        except BaseException:
            self._end_reading()
            raise
        self._readers.append(reader)

    def _read(self, worker: subprocess.Popen[str]) -> None:
        """Feed a worker; whoever waits is woken up, however that ends."""
        try:
            self._feed(worker)
        finally:
            self._end_reading()

    def _end_reading(self) -> None:
        # Counted under the lock: a thread that is woken up by its last statement is still alive.
        with self._changed:
            self._reading -= 1
            self._changed.notify_all()

    def _feed(self, worker: subprocess.Popen[str]) -> None:
        """Give a worker one kernel after the other, and note what it says."""
        assert worker.stdin is not None
        assert worker.stdout is not None
        with worker:
            while (kernel := self._next()) is not None:
                try:
                    worker.stdin.write(f"{kernel.home} {kernel.name}\n")
                    worker.stdin.flush()
                except OSError:
                    break
                if not self._follow(worker.stdout):
                    break
            with suppress(OSError):  # it has ended, and what it was sent is still unwritten
                worker.stdin.close()

    def _next(self) -> Kernel | None:
        with self._changed:
            return self._waiting.pop(0) if self._waiting else None

    def _follow(self, lines: Any) -> bool:
        """Read what a worker says until its kernel is stored; False if it has ended."""
        for line in lines:
            what, _, name = line.strip().partition(" ")
            with self._changed:
                self._heard = time.monotonic()
                if what == DONE:
                    self._stored.add(name)
                    self._changed.notify_all()
                    return True
                self._translated.add(name)
        return False


RUNNING: list[Compilation] = []


def seconds_left() -> float | None:
    """Seconds until what this process waits for is compiled; None where workers compile nothing."""
    running = [one for one in RUNNING if one.is_running]
    return max((one.seconds_left(one.awaited) for one in running), default=None)


def _work_of(kernel: Kernel) -> dict[str, int]:
    """Bytes of bytecode, by procedure."""
    return {_name_of(one): size for one, size in kernel.procedures().items()}


def _name_of(procedure: Any) -> str:
    return f"{procedure.py_func.__module__}.{procedure.py_func.__qualname__}"


class Reporter(Listener):
    """Prints the name of each procedure that is translated."""

    def on_start(self, event: Any) -> None:
        """Nothing yet."""

    def on_end(self, event: Any) -> None:
        """Print it."""
        print("translated", _name_of(event.data["dispatcher"]), flush=True)


def work(folder: str, number: int) -> None:
    """Compile the kernels that standard input names; a worker runs this."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # ended by control-C without a word
    # Numba numbers functions to name their code; two workers must not choose the same name.
    FunctionIdentity._unique_ids = itertools.count(1 + number * 1_000_000)
    Sharing.translations = SharedTranslations(Path(folder))
    register("numba:compile", Reporter())
    try:
        for line in sys.stdin:
            home, name = line.split()
            (kernel,) = (one for one in import_module(home).KERNELS if one.name == name)
            kernel.load()
            print(DONE, name, flush=True)
    except BrokenPipeError:
        os._exit(0)
