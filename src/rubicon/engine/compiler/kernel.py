"""A kernel: entry points whose machine code is made, stored on disk and loaded together."""

import hashlib
import os
import re
import sys
import tempfile
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext, suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numba.core.config
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import cpu_target
from numba.misc.appdirs import AppDirs

from rubicon.engine.compiler.linker import EntryWrapper, KernelImage, KernelLibrary, new_entrance
from rubicon.engine.compiler.pipeline import nothing_collected
from rubicon.engine.compiler.stamp import Stamps, called_by

try:
    import fcntl
except ImportError:  # Windows, where two processes may compile the same
    fcntl = None  # type: ignore[assignment]

# Where the machine code of kernels is stored: in the package, and in the user's cache folder.
#
# A file is named for everything that decides its content: the procedures (their stamps), the
# types of their arguments, the processor, Numba, Python, and the switches of the compiler. So a
# file that is found is never stale. A file gets its name last, so a process that is stopped while
# it writes leaves no half-written file behind.

config: Any = numba.core.config  # its switches are made at run time, unseen by a type checker

PACKAGE = Path(__file__).resolve().parents[2]
SHIPPED = PACKAGE / "engine" / "machine_code"  # what a wheel brings along
SUFFIX = ".kernel"
FORMAT = 1  # raised when `linker.py` makes other machine code of the same procedures

Processor = tuple[str, str, str]  # target triple, name, features


def this_processor() -> Processor:
    """The processor that the compiler makes code for."""
    triple, name, features = cpu_target.target_context.codegen().magic_tuple()
    return str(triple), str(name), str(features)


def any_processor() -> Processor:
    """Any processor of this family: what `NUMBA_CPU_NAME=generic` makes code for."""
    return this_processor()[0], "generic", ""


def switches() -> str:
    """The compiler's switches that change machine code."""
    checked = int(bool(config.BOUNDSCHECK))
    debug = int(bool(config.DEBUGINFO_DEFAULT))
    return f"o{int(config.OPT)}b{checked}d{debug}"


def build_of(processor: Processor) -> str:
    """Names all but the procedures that decides about machine code."""
    python = f"{sys.implementation.cache_tag}{getattr(sys, 'abiflags', '')}"
    return _short_hash(FORMAT, *processor, numba.__version__, python, switches())


def file_name(kernel: str, stamp: str, processor: Processor) -> str:
    """The name of the file that holds a kernel's machine code."""
    return f"{kernel}-{build_of(processor)}-{stamp}{SUFFIX}"


def find(kernel: str, stamp: str) -> KernelImage | None:
    """The machine code of a kernel, from the package or from the user's folder."""
    for folder, processor in ((SHIPPED, any_processor()), (own_folder(), this_processor())):
        if folder is not None:
            image = read(folder / file_name(kernel, stamp, processor))
            if image is not None:
                return image
    return None


def is_there(kernel: str, stamp: str) -> bool:
    """Whether `find` has a file to read."""
    places = (SHIPPED, any_processor()), (own_folder(), this_processor())
    return any(
        folder is not None and (folder / file_name(kernel, stamp, processor)).is_file()
        for folder, processor in places
    )


def compiling_alone(kernel: str) -> AbstractContextManager[None]:
    """Wait until no other process compiles a kernel of this name, and let no other do so."""
    folder = own_folder()
    return nullcontext() if folder is None else locked(folder / f"{kernel}.lock")


@contextmanager
def locked(file: Path) -> Iterator[None]:
    """Wait until no other process holds the lock of this name; it ends with its process.

    Where no file can be opened or locked, two processes may do the same work.
    """
    with ExitStack() as stack:
        if fcntl is not None:
            with suppress(OSError):
                fcntl.flock(stack.enter_context(file.open("w")), fcntl.LOCK_EX)
        yield


def read(file: Path) -> KernelImage | None:
    """A stored image; None if there is none, or if the file is damaged."""
    try:
        return KernelImage.from_bytes(file.read_bytes())
    except OSError:
        return None
    except Exception:
        return None


def store(kernel: str, stamp: str, image: KernelImage) -> None:
    """Write a kernel's machine code into the user's folder, if there is one."""
    folder = own_folder()
    if folder is None:
        return
    # A full or failing disk costs the next process a compilation, and this one nothing.
    with suppress(OSError):
        write(folder / file_name(kernel, stamp, this_processor()), image)
        _forget_older(folder, kernel, stamp)


def write(file: Path, image: KernelImage) -> None:
    """Write an image so that the file is there whole or not at all."""
    file.parent.mkdir(parents=True, exist_ok=True)
    temporary = file.with_suffix(f".{os.getpid()}")
    try:
        temporary.write_bytes(image.to_bytes())
        temporary.replace(file)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def _forget_older(folder: Path, kernel: str, stamp: str) -> None:
    """Remove what the same compiler made from older sources of the same kernel."""
    build = build_of(this_processor())
    older = re.compile(rf"{re.escape(f'{kernel}-{build}-')}(?!{stamp})[0-9a-f]+\{SUFFIX}")
    for file in folder.iterdir():
        if older.fullmatch(file.name):
            file.unlink(missing_ok=True)


def candidate_folders() -> Iterator[Path]:
    """Where machine code may be stored, best first."""
    apart = f"{PACKAGE.name}_{_short_hash(PACKAGE)}"  # two checkouts do not clear each other's
    if config.CACHE_DIR:
        yield Path(config.CACHE_DIR) / apart
    yield PACKAGE / "engine" / "__pycache__"
    yield Path(AppDirs(appname=PACKAGE.name, appauthor=False).user_cache_dir) / apart


@cache
def own_folder() -> Path | None:
    """The first candidate that can be written, made if need be."""
    for folder in candidate_folders():
        try:
            folder.mkdir(parents=True, exist_ok=True)
            tempfile.TemporaryFile(dir=folder).close()
        except OSError:
            continue
        return folder
    return None


def _short_hash(*parts: object) -> str:
    return hashlib.sha256(repr([str(part) for part in parts]).encode()).hexdigest()[:16]


# The kernel itself.

Signature = tuple[Any, ...]  # the Numba types of the arguments


@dataclass(frozen=True, slots=True)
class Kernel:
    """A name, and entry points with the types of their arguments.

    `home` is the module whose `KERNELS` has this one, so that another process can compile it.
    """

    name: str
    entry_points: tuple[tuple[Any, Signature], ...]
    home: str = ""

    def load(self) -> None:
        """Make every entry point callable: load it from disk, or compile and store it.

        Where another process compiles this kernel just now, that is waited for.
        """
        if self.is_loaded():
            return
        stamp = self.stamp()
        image = find(self.name, stamp)
        # Outside of the compiler's lock: meanwhile other kernels can be loaded.
        with nullcontext() if image else compiling_alone(self.name), global_compiler_lock:
            image = image or find(self.name, stamp)
            if not self.is_loaded():
                self._install(image, stamp)

    def is_loaded(self) -> bool:
        """Whether every entry point can be called."""
        return all(procedure.is_installed(types) for procedure, types in self.entry_points)

    def is_stored(self) -> bool:
        """Whether the machine code is on disk, as far as its name says."""
        return is_there(self.name, self.stamp())

    def procedures(self) -> dict[Any, int]:
        """The procedures in the kernel, each with the bytes of its bytecode."""
        found: dict[Any, int] = {}
        waiting = [procedure for procedure, _ in self.entry_points]
        kind = type(waiting[0])
        while waiting:
            procedure = waiting.pop()
            if procedure not in found:
                function = procedure.py_func
                found[procedure] = len(function.__code__.co_code)
                waiting += called_by(function, kind)
        return found

    def _install(self, image: KernelImage | None, stamp: str) -> None:
        cpu_target.target_context.refresh()
        library = KernelLibrary(cpu_target.target_context.codegen(), self.name)
        if image is None:
            functions = self._compile(library, stamp)
        else:
            library.load(image)
            functions = library.entry_points(image)
        for (procedure, types), function in zip(self.entry_points, functions, strict=True):
            procedure.install(types, function)

    def stamp(self) -> str:
        """Changes with anything that changes the machine code of an entry point."""
        total = hashlib.sha256()
        stamps = Stamps()
        for procedure, types in self.entry_points:
            total.update(stamps.of(procedure.py_func))
            total.update(repr(sorted(procedure.targetoptions.items())).encode())
            total.update(str(types).encode())
        return total.hexdigest()[:32]

    def _compile(self, library: KernelLibrary, stamp: str) -> list[Any]:
        """Translate, link and optimise; store the machine code on disk where that can be done."""
        with nothing_collected():
            translated = [procedure.translate(types) for procedure, types in self.entry_points]
            entrances = [
                new_entrance(one, releases=bool(procedure.targetoptions.get("nogil")))
                for one, (procedure, _) in zip(translated, self.entry_points, strict=True)
            ]
            wrappers = [_wrapper(one.fndesc) for one in translated]
            library.link(entrances, [one.symbol for one in wrappers])
        image = library.image(wrappers)
        if image.cacheable:
            store(self.name, stamp, image)
        return library.entry_points(image)


def _wrapper(description: Any) -> EntryWrapper:
    return EntryWrapper(
        symbol=description.llvm_cpython_wrapper_name,
        environment=description.env_name,
        module=description.modname,
        name=description.qualname.split(".")[-1],
    )
