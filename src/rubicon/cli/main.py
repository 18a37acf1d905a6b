"""The command `rubicon`: finds the subcommand, and turns errors into sentences and exit codes."""

import errno
import importlib
import importlib.util
import io
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import click

from rubicon import __version__
from rubicon.rules.errors import RubiconError

COMMANDS = {
    "play": "Play in the terminal, against people and bots.",
    "serve": "Host games behind one HTTP API.",
    "rules": "Show the rulesets and what each of their rules says.",
    "cases": "Run the numbered book of rule cases.",
    "replay": "Play a recorded game again and check every line of it.",
    "verify": "Check the dice of a game, entry by entry.",
    "table": "Look after the database of hosted games.",
    "position": "Show a position and what may be done in it.",
    "perft": "Count the games from a position, to prove the rules.",
    "orders": "Check and explain a turn written as one text.",
    "odds": "Reckon the exact chances of a battle or a campaign.",
    "bench": "Measure how fast the engine is.",
    "warmup": "Compile the rules once, so that later starts are quick.",
}

USAGE = 2  # exit codes; 70 is the customary one for an internal error
INTERNAL = 70
INTERRUPTED = 130
TRACEBACK = "RUBICON_TRACEBACK"
NO_ROOM = (errno.ENOSPC, errno.EDQUOT)


def module_name(command: str) -> str:
    """The module that holds a command, as `command`."""
    return f"{__package__}.{command}"


class Unread(Exception):
    """Nobody reads what is printed any more."""


@contextmanager
def pipes_told_apart() -> Iterator[None]:
    """Raise Unread for a closed pipe: click itself would end with 1, as if something had failed."""
    try:
        yield
    except BrokenPipeError as error:
        raise Unread from error


class LazyGroup(click.Group):
    """A group that imports a subcommand's module only when it is called."""

    def make_context(
        self,
        info_name: str | None,
        args: list[str],
        parent: click.Context | None = None,
        **extra: Any,
    ) -> click.Context:
        """Read the command line."""
        with pipes_told_apart():
            return super().make_context(info_name, args, parent, **extra)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command."""
        with pipes_told_apart():
            return super().invoke(ctx)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The commands of this installation, the most wanted first."""
        return [name for name in COMMANDS if importlib.util.find_spec(module_name(name))]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command."""
        if cmd_name not in self.list_commands(ctx):
            return None
        command = importlib.import_module(module_name(cmd_name)).command
        if not isinstance(command, click.Command):
            raise TypeError(f"{module_name(cmd_name)}.command is not a command")
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command that is called, or suggest the nearest."""
        try:
            return super().resolve_command(ctx, args)
        except click.NoSuchCommand as error:
            names = self.list_commands(ctx)
            raise click.NoSuchCommand(error.command_name, possibilities=names, ctx=ctx) from None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, COMMANDS[name]) for name in self.list_commands(ctx)])


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="rubicon")
def group() -> None:
    """Rubicon plays RISK, exactly."""


def explain(error: RubiconError) -> int:
    """Say what cannot be done, why, and what would do."""
    click.echo(f"error [{error.code}]: {error.message}", err=True)
    if error.suggestion:
        click.echo(error.suggestion, err=True)
    return USAGE


def apologise(error: Exception) -> int:
    """Say that the fault is ours, and how to see where."""
    click.echo(
        f"Something went wrong inside Rubicon ({type(error).__name__}). "
        f"Run the same again with {TRACEBACK}=1 to see where.",
        err=True,
    )
    return INTERNAL


def interrupted(abort: click.Abort) -> int:
    """End quietly where the user asked to (control-C, or the end of the input)."""
    click.echo("Stopped.", err=True)
    return INTERRUPTED if isinstance(abort.__cause__, KeyboardInterrupt) else 1


def forgive_encodings() -> None:
    """Let a terminal that has no `×` show something else instead of failing."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def close_output() -> OSError | None:
    """Hand over what is still unwritten, and answer why it cannot be written.

    If nobody reads it any more, it is dropped without a word.
    """
    try:
        sys.stdout.flush()
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return None if isinstance(error, BrokenPipeError) else error
    return None


def unwritable(error: OSError) -> int:
    """Say that what was to be printed cannot be written."""
    why = error.strerror or type(error).__name__
    return explain(RubiconError("output/cannot-write", f"The output cannot be written: {why}."))


def run(arguments: Sequence[str] | None) -> int:
    """Run a command and turn what it raises into a sentence and an exit code."""
    try:
        result = group.main(arguments, prog_name="rubicon", standalone_mode=False)
    except RubiconError as error:
        return explain(error)
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except click.Abort as abort:
        return interrupted(abort)
    except Unread:
        return 0
    except Exception as error:
        if isinstance(error, OSError) and error.errno in NO_ROOM:
            return unwritable(error)
        if os.environ.get(TRACEBACK):
            raise
        return apologise(error)
    return result if isinstance(result, int) else 0


def main(arguments: Sequence[str] | None = None) -> int:
    """Run `rubicon` and answer its exit code."""
    forgive_encodings()
    lost: OSError | None = None
    try:
        code = run(arguments)
    finally:
        lost = close_output()
    return unwritable(lost) if lost and not code else code


if __name__ == "__main__":
    sys.exit(main())
