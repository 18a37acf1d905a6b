"""`rubicon rules`: the presets, their rulebooks and their options."""

import sys

import click
from rich.console import Console
from rich.markdown import Markdown
from rich.table import Table

from rubicon.errors import RubiconError
from rubicon.rulebook.rulebook import rulebook
from rubicon.rules.options.kinds import Choice, Flag
from rubicon.rules.options.registry import OPTIONS
from rubicon.rules.ruleset.file import unknown_option
from rubicon.rules.ruleset.ruleset import Ruleset, parse_override, presets

WIDTH = 79  # one less than eighty, because some terminals wrap a line of eighty


@click.command("rules")
@click.argument("preset", required=False)
@click.option(
    "-o", "--option", "overrides", multiple=True, metavar="NAME=VALUE", help="Change an option."
)
@click.option("--board", help="The name of a board, or its file.")
@click.option("--options", "as_options", is_flag=True, help="List all options and their values.")
@click.option("--explain", metavar="OPTION", help="Explain one option and its values.")
@click.option("--plain", is_flag=True, help="Markdown, without colours and pager.")
def command(
    preset: str | None,
    overrides: tuple[str, ...],
    board: str | None,
    as_options: bool,
    explain: str | None,
    plain: bool,
) -> None:
    """Print the rulebook of PRESET: the name of a preset, or the file of a ruleset.

    Without PRESET, list the presets.
    """
    if explain is not None:
        explain_option(explain)
        return
    if preset is None:
        list_presets()
        return
    ruleset = Ruleset.load(preset, dict(map(parse_override, overrides)), board=board)
    if as_options:
        for name in OPTIONS:
            click.echo(f"{name}={ruleset.option_text(name)}")
    elif plain or not sys.stdout.isatty():
        click.echo(rulebook(ruleset))
    else:
        console = Console(width=min(100, Console().width))
        with console.pager(styles=True):
            console.print(Markdown(rulebook(ruleset)))


def list_presets() -> None:
    """Print a line for each preset."""
    table = Table("preset", "players", "the game", box=None, pad_edge=False)
    for name in presets():
        ruleset = Ruleset.load(name)
        fewest, most = int(ruleset.rules.players_min), int(ruleset.rules.players_max)
        players = str(fewest) if fewest == most else f"{fewest}-{most}"
        table.add_row(name, players, ruleset.description)
    Console(width=None if sys.stdout.isatty() else WIDTH).print(table)


def explain_option(name: str) -> None:
    """Print an option, its values, and the presets that have each value."""
    if name not in OPTIONS:
        raise RubiconError(*unknown_option(name))
    option = OPTIONS[name]
    click.echo(f"{name}: {option.meaning} [{', '.join(option.sources)}]")
    for value, meaning in option.values.items():
        click.echo(f"  {value}: {meaning.text}")
    if not isinstance(option.kind, Choice | Flag):
        click.echo(f"It can be {option.kind.allowed()}.")
    for condition in option.only_if:
        click.echo(f"It matters only with {condition.replace(' ', '|')}.")
    by_value: dict[str, list[str]] = {}
    for preset in presets():
        by_value.setdefault(Ruleset.load(preset).option_text(name), []).append(preset)
    for value, names in by_value.items():
        click.echo(f"{value} in {', '.join(names)}")
