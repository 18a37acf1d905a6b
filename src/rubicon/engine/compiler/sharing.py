"""Translated procedures, shared by processes that compile different kernels at the same time.

The rules are in every kernel, so without this each process would translate them again. A process
claims a procedure by a lock on a file, translates it, and stores the result under a name that says
which source it was made from. Another process that needs it waits for the lock, and reads it.
Procedures call each other in no circle across locks, so the processes cannot wait for each other.
"""

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, Self

from numba.core import serialize
from numba.core.environment import _rebuild_env, lookup_environment
from numba.core.registry import cpu_target

from rubicon.engine.compiler.kernel import locked
from rubicon.engine.compiler.linker import ENVIRONMENT, ProcedureLibrary, library_of_bitcode
from rubicon.engine.compiler.stamp import Stamps


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


class Stored(NamedTuple):
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
            Stored(
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
        return Translated(stored.description, stored.signature, library, environment, None, target)

    def _stored(self, key: str) -> Stored:
        stored: Stored = serialize.loads((self._folder / key).read_bytes())
        return stored

    def _library(self, key: str, stored: Stored) -> ProcedureLibrary:
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
    unfinished = file.with_suffix(".part")
    unfinished.write_bytes(serialize.dumps(content))
    unfinished.replace(file)
