"""The command lines of this package begin alike."""

import argparse
from pathlib import Path


def parser_of(module: str, text: str | None, folder: str) -> argparse.ArgumentParser:
    """A parser for `python -m MODULE FOLDER`; `text` is its help, `folder` that of its folder."""
    parser = argparse.ArgumentParser(
        prog=f"python -m {module}",
        description=text,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("folder", type=Path, help=folder)
    return parser
