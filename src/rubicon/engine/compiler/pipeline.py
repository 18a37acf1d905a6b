"""How Numba is run: only the steps that procedures need, and nothing resolved twice.

Numba's own pipeline spends half its time on what no procedure uses (closures, parallel loops,
object mode, diagnostics) and on asking hundreds of times what `int64 + int64` returns. Here the
same passes do the translation, so the machine code is the same; there are fewer of them.
"""

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numba.core.compiler
import numba.core.compiler_machinery
from numba.core import postproc, transforms, typed_passes, types, untyped_passes
from numba.core.registry import cpu_target
from numba.core.targetconfig import ConfigStack

compiler: Any = numba.core.compiler  # hardly typed
machinery: Any = numba.core.compiler_machinery

# Left out of Numba's list: with-blocks, closures and inlining at Numba's level, dynamic raises,
# literal unrolling, array expressions, parallel loops, annotations. A procedure that needed one of
# them would not compile; none changes the code of one that does not.
PASSES: tuple[Any, ...] = (
    untyped_passes.TranslateByteCode,
    untyped_passes.FixupArgs,
    untyped_passes.IRProcessing,
    untyped_passes.InlineClosureLikes,
    untyped_passes.RewriteSemanticConstants,
    untyped_passes.DeadBranchPrune,
    untyped_passes.GenericRewrites,
    untyped_passes.MakeFunctionToJitFunction,
    untyped_passes.ReconstructSSA,
    typed_passes.NopythonTypeInference,
    typed_passes.PreLowerStripPhis,
    typed_passes.IRLegalization,
    typed_passes.NativeLowering,
    typed_passes.NoPythonBackend,
)


class QuickPasses(machinery.PassManager):  # type: ignore[misc]
    """Runs the passes without the timers, events and printable descriptions of each."""

    def run(self, state: Any) -> None:
        """Run all passes; an error of Numba says which procedure it is about."""
        for kind, _ in self.passes:
            info = machinery._pass_registry.get(kind)
            one = info.pass_inst
            one.analysis = self._analysis
            changed = one.run_initialization(state)
            changed |= one.run_pass(state)
            changed |= one.run_finalizer(state)
            if not info.mutates_CFG:
                continue
            if changed:
                postproc.PostProcessor(state.func_ir).run()
            else:
                state.func_ir.blocks = transforms.canonicalize_cfg(state.func_ir.blocks)


class ProcedureCompiler(compiler.CompilerBase):  # type: ignore[misc]
    """Numba's compiler with our list of passes."""

    def define_pipelines(self) -> list[Any]:
        """The one list of passes, for all procedures."""
        passes = QuickPasses("procedure")
        for kind in PASSES:
            passes.add_pass(kind, "")
        passes.finalize()
        return [passes]

    def _compile_core(self) -> Any:
        # Numba copies the flags here; every look-up of an operator then compares forty of them.
        with ConfigStack().enter(self.state.flags):
            (passes,) = self.define_pipelines()
            self.state.type_annotation = None
            self.state.metadata["pipeline_times"] = {}
            passes.run(self.state)
        self.state.pipeline = None
        return self.state.cr


class SharedFlags(compiler.Flags):  # type: ignore[misc]
    """Flags of which there is one object for all procedures: a dictionary finds it at once."""

    def __hash__(self) -> int:
        return id(type(self))

    def __eq__(self, other: object) -> bool:
        return self is other or bool(super().__eq__(other))


class RememberingContext:
    """Numba's typing context, which remembers what operators and functions of NumPy return.

    Without it every `+` tries a dozen templates again, in every procedure, several times.
    """

    def __init__(self, context: Any) -> None:
        self._context = context
        self._known: dict[Any, Any] = {}

    def __getattr__(self, name: str) -> Any:
        return getattr(self._context, name)

    def resolve_function_type(self, function: Any, arguments: Any, keywords: Any) -> Any:
        """The signature of a call."""
        # Only what Numba brings: other procedures are translated by this very question.
        if not isinstance(function, types.Function):
            return self._context.resolve_function_type(function, arguments, keywords)
        key = function, tuple(arguments), tuple(keywords.items())
        if key not in self._known:
            found = self._context.resolve_function_type(function, arguments, keywords)
            if found is None:  # a type that is not known yet
                return None
            self._known[key] = found
        return self._known[key]


TYPING = RememberingContext(cpu_target.typing_context)


@contextmanager
def nothing_collected() -> Iterator[None]:
    """Let the collector of garbage rest: it takes a tenth of the time, and finds almost nothing."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()
