"""From procedures to machine code: translate each procedure once, link, then optimise once.

Numba optimises a function together with everything that it calls, and generates machine code for
it, before it goes on to the caller: a procedure ten levels down is optimised ten times. Here a
procedure is only translated to LLVM's intermediate code, in its own module. A *kernel* links
the modules of its entry points and of all that they call into one, which is optimised and turned
into machine code as a whole. That takes half the time, and the files take 1.2 MB in place of 29.
"""

import pickle
from collections.abc import Iterable, Sequence
from importlib import import_module
from typing import Any, NamedTuple, Self

from numba.core.codegen import JITCodeLibrary
from numba.core.environment import Environment, _rebuild_env, lookup_environment

dynfunc: Any = import_module("numba._dynfunc")  # written in C, without types
llvm: Any = import_module("llvmlite.binding")

ENVIRONMENT = "_ZN08NumbaEnv"  # begins the symbol of an environment


class EntryWrapper(NamedTuple):
    """Where Python enters a procedure."""

    symbol: str  # of the function that unpacks Python's arguments
    environment: str
    module: str
    name: str


class KernelImage(NamedTuple):
    """The machine code of a kernel, and all that is needed to load it into another process."""

    object_code: bytes
    symbols: tuple[str, ...]
    environments: tuple[tuple[str, str, list[Any]], ...]  # symbol, module, constants
    wrappers: tuple[EntryWrapper, ...]
    cacheable: bool = True  # False if the code holds addresses of this process

    def to_bytes(self) -> bytes:
        """The inverse of `from_bytes`."""
        return pickle.dumps(self, protocol=5)

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """Read an image; any exception if the data are none."""
        image = pickle.loads(data)
        if not isinstance(image, cls):
            raise TypeError(f"{type(image).__name__} in place of an image")
        return image


class ProcedureLibrary(JITCodeLibrary):
    """The intermediate code of one procedure, without that of the procedures it calls.

    A `foreign` one was compiled by Numba itself, with all that it calls, in another process.
    """

    foreign = False

    def __init__(self, codegen: Any, name: str) -> None:
        super().__init__(codegen, name)  # type: ignore[no-untyped-call]
        self.environments: list[Environment] = []

    def names_addresses(self) -> bool:
        """Whether the code holds addresses of this process."""
        variables = self._final_module.global_variables
        return any(one.name.startswith("numba.dynamic.globals") for one in variables)

    def finalize(self) -> None:
        """Nothing is linked or optimised before the kernel is."""
        self._finalized = True

    def _optimize_functions(self, module: Any) -> None:
        """Numba's, without a run of all passes over each function that is only declared."""
        module.data_layout = self._codegen._data_layout
        for function in module.functions:
            if not function.is_declaration:
                passes, builder = self._codegen._function_pass_manager()
                passes.run(function, builder)


def new_library(target: Any, name: str) -> Any:
    """An empty library for a procedure."""
    return ProcedureLibrary(target.codegen(), name)


def library_of_bitcode(
    codegen: Any, name: str, bitcode: bytes, *, foreign: bool = False
) -> ProcedureLibrary:
    """The library of a procedure that another process has translated."""
    library = ProcedureLibrary(codegen, name)
    library._final_module = llvm.parse_bitcode(bitcode)
    library._finalized = True
    library.foreign = foreign
    return library


def new_entrance(translated: Any, *, releases: bool) -> ProcedureLibrary:
    """The way into a translated procedure from Python, with the procedure linked to it.

    `releases` the interpreter's lock while the procedure runs.
    """
    target, description = translated.target_context, translated.fndesc
    library: ProcedureLibrary = new_library(target, description.qualname)
    target.create_cpython_wrapper(
        library, description, translated.environment, translated.call_helper, release_gil=releases
    )
    library.add_linking_library(translated.library)  # type: ignore[no-untyped-call]
    return library


class KernelLibrary:
    """The code of several entry points and of all that they call."""

    def __init__(self, codegen: Any, name: str) -> None:
        self._library: Any = JITCodeLibrary(codegen, name)
        self._library.enable_object_caching()
        self._codegen = codegen
        self._environments: list[Environment] = []  # machine code holds their addresses

    def link(self, entry_points: Sequence[ProcedureLibrary], exported: Iterable[str]) -> None:
        """Link, optimise and generate machine code; only `exported` symbols stay callable.

        All other functions become internal to the module, so that LLVM may inline a function into
        its only caller and drop what nothing calls any more.
        """
        module = self._library._final_module
        for library in _with_callees(entry_points):
            self._library._reload_init.update(library._reload_init)
            module.link_in(_linkable(library), preserve=True)
        keep = set(exported)
        for function in module.functions:
            if function.linkage.name == "external" and not function.is_declaration:
                function.linkage = "external" if function.name in keep else "internal"
        self._library._optimize_final_module()
        module.verify()
        self._library._finalize_final_module()

    def load(self, image: KernelImage) -> None:
        """Take the machine code of an image instead."""
        # An empty module goes to LLVM, which asks for its code before it generates any.
        self._library._set_compiled_object(image.object_code)
        self._library._finalize_final_module()
        self._codegen._engine._defined_symbols.update(image.symbols)

    def image(self, wrappers: Iterable[EntryWrapper]) -> KernelImage:
        """The code that was linked, in the form that `load` takes."""
        environments = (lookup_environment(name) for name in self._environment_symbols())
        return KernelImage(
            object_code=self._library._get_compiled_object(),
            symbols=tuple(self._defined_symbols()),
            environments=tuple(
                (one.env_name, one.globals["__name__"], list(one.consts)) for one in environments
            ),
            wrappers=tuple(wrappers),
            cacheable=not (self._library.has_dynamic_globals or self._library._reload_init),
        )

    def entry_points(self, image: KernelImage) -> list[Any]:
        """The Python functions that enter the machine code, in the order of the image."""
        for symbol, module, constants in image.environments:
            environment = _rebuild_env(module, constants, symbol)
            self._codegen.set_env(symbol, environment)
            self._environments.append(environment)
        return [self._entry_point(wrapper) for wrapper in image.wrappers]

    def _entry_point(self, wrapper: EntryWrapper) -> Any:
        address = self._library.get_pointer_to_function(wrapper.symbol)
        environment = lookup_environment(wrapper.environment)
        if environment is None:  # the machine code does not use it, but Numba wants one
            environment = _rebuild_env(wrapper.module, [], wrapper.environment)
        title = f"compiled {wrapper.module}.{wrapper.name}"
        module = import_module(wrapper.module)
        alive = (self._library, *self._environments)
        return dynfunc.make_function(module, wrapper.name, title, address, environment, alive)

    def _environment_symbols(self) -> list[str]:
        symbols = (variable.name for variable in self._library._final_module.global_variables)
        return [name for name in symbols if name.startswith(ENVIRONMENT)]

    def _defined_symbols(self) -> list[str]:
        module = self._library._final_module
        defined = [*module.functions, *module.global_variables]
        return [one.name for one in defined if not one.is_declaration]


def _with_callees(entry_points: Sequence[ProcedureLibrary]) -> list[Any]:
    """The libraries of procedures and of all that they call; first ours, then Numba's own.

    Numba's hold whole functions that may be defined more than once: LLVM links of them only what
    an earlier module has left undefined.
    """
    found: dict[Any, None] = {}
    waiting: list[Any] = list(entry_points)
    while waiting:
        library = waiting.pop()
        if library not in found:
            found[library] = None
            if isinstance(library, ProcedureLibrary):
                waiting.extend(library._linking_libraries)
    return sorted(found, key=lambda one: not isinstance(one, ProcedureLibrary) or one.foreign)


def _linkable(library: Any) -> Any:
    if isinstance(library, ProcedureLibrary):
        return library._final_module
    return library._get_module_for_linking()
