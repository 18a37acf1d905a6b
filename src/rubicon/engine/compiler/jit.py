"""A compiled procedure: one signature, whichever widths of whole numbers it is called with.

Numba compiles a function again for every combination of argument types, and here a territory may
come as 16 bits from a record, as 64 from a loop or as a member of an enumeration. Widening them
all to 64 bits first keeps one signature a procedure, and the cold compile within its limit.
"""

from collections.abc import Callable
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numba.core.compiler
import numba.core.typing
from numba.core import event, sigutils, types
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import CPUDispatcher

from rubicon.engine.compiler.kernel import Kernel, Signature
from rubicon.engine.compiler.linker import new_library
from rubicon.engine.compiler.pipeline import TYPING, ProcedureCompiler, SharedFlags
from rubicon.engine.compiler.stamp import PACKAGE_NAME
from rubicon.engine.compiler.workers import Sharing

compiler: Any = numba.core.compiler  # hardly typed
typing: Any = numba.core.typing

FLAGS: dict[Any, Any] = {}  # by the options of procedures
DIRECT = types.Record | types.Integer | types.Boolean


def widened(argument: Any) -> Any:
    """The type of an argument in the one signature."""
    if isinstance(argument, types.Integer | types.IntEnumMember) and argument != types.uint64:
        return types.int64
    return argument


def widened_all(signature: Any) -> Signature:
    """The types of all arguments in the one signature."""
    arguments, _ = sigutils.normalize_signature(signature)
    return tuple(widened(argument) for argument in arguments)


class Procedure(CPUDispatcher):
    """Numba's dispatcher, with one signature, another way to compile and a quicker way in.

    A caller that is compiled itself gets the intermediate code of this procedure alone
    (`translate`). A caller in Python gets machine code, from the kernel that names this procedure
    as an entry point; where there is none, from its own kernel.

    Numba looks at the type of each argument at each call, which takes records ten times as long as
    most procedures. Where all arguments are records and whole numbers there is but one signature,
    and from the first call on its machine code is called straight away.
    """

    _direct: Callable[..., Any] | None = None

    def __init__(self, function: Callable[..., Any], options: dict[str, Any]) -> None:
        super().__init__(py_func=function, targetoptions=options)
        self._translated: dict[Signature, Any] = {}

    def __call__(self, *arguments: Any) -> Any:
        direct = self._direct
        return super().__call__(*arguments) if direct is None else direct(*arguments)

    def compile(self, sig: Any) -> Any:
        """Have machine code for these types of arguments; the function that enters it.

        Numba calls this at the first call from Python.
        """
        signature = widened_all(sig)
        if not self.is_installed(signature):
            _kernel_of(self, signature).load()
        installed: Any = self.overloads[signature]
        return installed.entry_point

    def is_installed(self, signature: Signature) -> bool:
        """Whether there is machine code for these types of arguments."""
        return signature in self.overloads

    def install(self, signature: Signature, function: Any) -> None:
        """Take `function` for calls from Python with arguments of these types."""
        if self.is_installed(signature):
            return
        returned = typing.signature(types.undefined, *signature)
        self.add_overload(
            compiler.compile_result(entry_point=function, signature=returned, objectmode=False)
        )
        if all(isinstance(argument, DIRECT) for argument in signature):
            self._direct = function

    def translate(self, signature: Signature) -> Any:
        """The intermediate code of this procedure, translated once."""
        if signature not in self._translated:
            if Sharing.translations is None:
                result = self._translate(signature)
            else:
                translate = partial(self._translate, signature)
                result = Sharing.translations.get(self, signature, translate)
            key = object()  # Numba's is the entry point, which this code lacks
            self.targetctx.insert_user_function(key, result.fndesc, [result.library])
            self._translated[signature] = result._replace(entry_point=key)
        return self._translated[signature]

    def _translate(self, signature: Signature) -> Any:
        details = {"dispatcher": self, "args": signature, "return_type": None}
        with event.trigger_event("numba:compile", data=details), self._compiling_counter:
            return compiler.compile_extra(
                TYPING,
                self.targetctx,
                self.py_func,
                args=signature,
                return_type=None,
                flags=self._flags(),
                locals=self.locals,
                library=new_library(self.targetctx, self.py_func.__qualname__),
                pipeline_class=ProcedureCompiler,
            )

    def _flags(self) -> Any:
        key = tuple(sorted(self.targetoptions.items()))
        if key not in FLAGS:
            flags = FLAGS[key] = SharedFlags()
            self.targetdescr.options.parse_as_flags(flags, self.targetoptions)
            flags.no_compile = True  # up to the linker
            flags.no_cfunc_wrapper = True
            flags.no_cpython_wrapper = True  # a kernel adds those of its entry points
        return FLAGS[key]

    # What Numba asks for when it compiles a caller:

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """The signature that a call has."""
        pysig, folded = self.fold_argument_types(args, kws)
        with global_compiler_lock:
            self.translate(widened_all(folded))
        name = self.py_func.__name__
        template = typing.make_concrete_template(name, name, self.nopython_signatures)
        return template, pysig, folded, {}

    def get_overload(self, sig: Any) -> Any:
        """The key under which the code generator knows this procedure."""
        return self.translate(widened_all(sig)).entry_point

    @property
    def nopython_signatures(self) -> list[Any]:
        """The signatures that a compiled caller may choose from."""
        return [one.signature for one in self._translated.values()]


def _kernel_of(procedure: Procedure, signature: Signature) -> Kernel:
    """The kernel with this entry point, as the module `warmup` of its package says."""
    module = procedure.__module__
    for kernel in _kernels_beside(module):
        if (procedure, signature) in kernel.entry_points:
            return kernel
    return Kernel(f"{module}.{procedure.py_func.__qualname__}", ((procedure, signature),))


def _kernels_beside(module: str) -> tuple[Kernel, ...]:
    """The kernels of a module's package; imported late, as they import the procedures."""
    package, _, rest = module.partition(".")
    home = f"{package}.{rest.partition('.')[0]}.warmup"
    if package != PACKAGE_NAME or find_spec(home) is None:
        return ()
    kernels: tuple[Kernel, ...] = import_module(home).KERNELS
    return kernels


def compile_inlined(function: Callable[..., Any]) -> Procedure:
    """`compile_procedure` for what every roll passes through: its callers contain its code."""
    return compile_procedure(function, inline=True)


def compile_unlocked(function: Callable[..., Any]) -> Procedure:
    """`compile_procedure` for what takes milliseconds: other threads go on meanwhile."""
    return compile_procedure(function, unlocked=True)


def compile_procedure(
    function: Callable[..., Any], *, inline: bool = False, unlocked: bool = False
) -> Procedure:
    """Have `function` compiled when it is first called, and its machine code stored on disk.

    The interpreter's lock is held unless `unlocked`: a thread that releases it for microseconds
    waits milliseconds until it has it again.
    """
    options = {"nopython": True, "nogil": unlocked, "boundscheck": None, "forceinline": inline}
    return Procedure(function, options)
