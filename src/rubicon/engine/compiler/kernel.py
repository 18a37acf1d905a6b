"""A kernel: entry points whose machine code is made, stored and loaded together."""

import hashlib
from dataclasses import dataclass
from typing import Any

from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import cpu_target

from rubicon.engine.compiler import kernel_cache
from rubicon.engine.compiler.linker import EntryWrapper, KernelLibrary
from rubicon.engine.compiler.stamp import Stamps

Signature = tuple[Any, ...]  # the Numba types of the arguments


@dataclass(frozen=True, slots=True)
class Kernel:
    """A name, and entry points with the types of their arguments."""

    name: str
    entry_points: tuple[tuple[Any, Signature], ...]

    def load(self) -> None:
        """Make every entry point callable: load it from disk, or compile and store it."""
        with global_compiler_lock:
            if all(procedure.is_installed(types) for procedure, types in self.entry_points):
                return
            cpu_target.target_context.refresh()
            stamp = self.stamp()
            image = kernel_cache.find(self.name, stamp)
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
        translated = [
            procedure.translate(types, with_wrapper=True) for procedure, types in self.entry_points
        ]
        wrappers = [_wrapper(one.fndesc) for one in translated]
        library.link([one.library for one in translated], [one.symbol for one in wrappers])
        image = library.image(wrappers)
        if image.cacheable:
            kernel_cache.store(self.name, stamp, image)
        return library.entry_points(image)


def _wrapper(description: Any) -> EntryWrapper:
    return EntryWrapper(
        symbol=description.llvm_cpython_wrapper_name,
        environment=description.env_name,
        module=description.modname,
        name=description.qualname.split(".")[-1],
    )
