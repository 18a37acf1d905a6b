"""The command `rubicon`: runs a subcommand, and turns errors into sentences and exit codes."""

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
from rubicon.errors import RubiconError
from rubicon.wording import printable_text

COMMANDS = {
    "play": "Play in the terminal, against people and bots.",
    "serve": "Run a server for games over HTTP.",
    "mail": "Play by e-mail: run the server, check its settings, send a test.",
    "dice": "Run an independent dice server.",
    "rules": "List the rulesets, and read the rulebook of one.",
    "odds": "Compute the exact odds of a battle or a campaign.",
    "orders": "Check, explain or preview a turn written as one text.",
    "arena": "Measure how strong players are, in many games.",
    "replay": "Replay a saved game and check every line of it.",
    "review": "Review a finished game: chances to win, dice, decisions, better plans.",
    "verify": "Verify the dice of a game.",
    "position": "Show a position and its legal actions.",
    "bot": "Play one seat for another program: positions in, actions out.",
    "table": "Maintain the database of a server.",
    "cases": "Run the rule cases.",
    "perft": "Count all continuations of a position, to check the engine.",
    "warmup": "Compile the engine once, so that later starts are fast.",
}

USAGE = 2  # exit codes; 70 is EX_SOFTWARE of BSD's sysexits.h
INTERNAL = 70
INTERRUPTED = 130
TRACEBACK = "RUBICON_TRACEBACK"
DISK_FULL = (errno.ENOSPC, errno.EDQUOT)


def module_name(command: str) -> str:
    """The module of a subcommand; its name for the click command is `command`."""
    return f"{__package__}.{command}"


class OutputClosed(Exception):
    """The reader of the output is gone, as after `| head`."""


@contextmanager
def closed_pipes_caught() -> Iterator[None]:
    """Raise OutputClosed for a closed pipe: click itself would exit with 1, as for a failure."""
    try:
        yield
    except BrokenPipeError as error:
        raise OutputClosed from error


class LazyGroup(click.Group):
    """A command group that imports a subcommand's module only when it is called."""

    def make_context(
        self,
        info_name: str | None,
        args: list[str],
        parent: click.Context | None = None,
        **extra: Any,
    ) -> click.Context:
        """Parse the command line."""
        with closed_pipes_caught():
            return super().make_context(info_name, args, parent, **extra)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command."""
        with closed_pipes_caught():
            return super().invoke(ctx)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The subcommands whose modules are installed, the most used first."""
        return [name for name in COMMANDS if importlib.util.find_spec(module_name(name))]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a subcommand; None if there is none of that name."""
        if cmd_name not in self.list_commands(ctx):
            return None
        command = importlib.import_module(module_name(cmd_name)).command
        if not isinstance(command, click.Command):
            raise TypeError(f"{module_name(cmd_name)}.command is not a command")
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the subcommand; NoSuchCommand suggests the nearest."""
        try:
            return super().resolve_command(ctx, args)
        except click.NoSuchCommand as error:
            names = self.list_commands(ctx)
            raise click.NoSuchCommand(error.command_name, possibilities=names, ctx=ctx) from None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of subcommands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, COMMANDS[name]) for name in self.list_commands(ctx)])


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="rubicon")
def group() -> None:
    """Rubicon plays the board game RISK, exactly.

    `rubicon COMMAND --help` explains a command. Shell completion: see docs/playing.md.
    """


def explain(error: RubiconError) -> int:
    """Print what is wrong and what to do, then the code in grey; the exit code."""
    sentence = printable_text(f"Error: {error.message} {error.suggestion}".rstrip())
    click.echo(f"{sentence} {click.style(f'[{error.code}]', dim=True)}", err=True)
    return USAGE


def report_bug(error: Exception) -> int:
    """Print that the program has a fault, and how to see where; the exit code."""
    click.echo(
        f"Internal error in Rubicon ({type(error).__name__}). "
        f"Run the same command with {TRACEBACK}=1 to see the traceback.",
        err=True,
    )
    return INTERNAL


def interrupted(abort: click.Abort) -> int:
    """End after control-C or at the end of the input; the exit code."""
    click.echo("Stopped.", err=True)
    return INTERRUPTED if isinstance(abort.__cause__, KeyboardInterrupt) else 1


def replace_unencodable() -> None:
    """Print `?` for a character that the terminal's encoding lacks, instead of failing."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def close_output() -> OSError | None:
    """Flush standard output; the error if that fails.

    A closed pipe is no error: what is unwritten is dropped.
    """
    try:
        sys.stdout.flush()
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return None if isinstance(error, BrokenPipeError) else error
    return None


def unwritable(error: OSError) -> int:
    """Print that the output cannot be written; the exit code."""
    why = error.strerror or type(error).__name__
    return explain(RubiconError("output/cannot-write", f"The output cannot be written: {why}."))


def run(arguments: Sequence[str] | None) -> int:
    """Run a subcommand; every exception becomes a sentence and an exit code."""
    try:
        result = group.main(arguments, prog_name="rubicon", standalone_mode=False)
    except RubiconError as error:
        return explain(error)
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except click.Abort as abort:
        return interrupted(abort)
    except OutputClosed:
        return 0
    except Exception as error:
        if isinstance(error, OSError) and error.errno in DISK_FULL:
            return unwritable(error)
        if os.environ.get(TRACEBACK):
            raise
        return report_bug(error)
    return result if isinstance(result, int) else 0


def main(arguments: Sequence[str] | None = None) -> int:
    """Run `rubicon` and return its exit code."""
    replace_unencodable()
    lost: OSError | None = None
    try:
        code = run(arguments)
    finally:
        lost = close_output()
    return unwritable(lost) if lost and not code else code


if __name__ == "__main__":
    sys.exit(main())
