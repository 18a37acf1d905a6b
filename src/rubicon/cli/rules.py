"""`rubicon rules`: the rulebook of exactly the options in force, and what the options are."""

import sys

import click
from rich.console import Console
from rich.markdown import Markdown
from rich.table import Table

from rubicon.rules.board_parts import quoted
from rubicon.rules.errors import RubiconError
from rubicon.rules.options import OPTIONS
from rubicon.rules.rulebook import rulebook
from rubicon.rules.ruleset import Ruleset, parse_override, presets
from rubicon.rules.suggestions import nearest

WIDTH = 79  # one less than eighty, so that no terminal wraps


@click.command("rules")
@click.argument("preset", required=False)
@click.option("-o", "--option", "overrides", multiple=True, metavar="NAME=VALUE", help="Change it.")
@click.option("--board", help="A board's name, or a file.")
@click.option("--options", "as_options", is_flag=True, help="The options in force, a line each.")
@click.option("--explain", metavar="OPTION", help="What one option means, and its values.")
@click.option("--plain", is_flag=True, help="As Markdown, without colours or a pager.")
def command(
    preset: str | None,
    overrides: tuple[str, ...],
    board: str | None,
    as_options: bool,
    explain: str | None,
    plain: bool,
) -> None:
    """Print the rules of PRESET (a preset's name, or the file of a ruleset).

    Without PRESET the presets are listed.
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
    """A line for each preset."""
    table = Table("preset", "players", "the game", box=None, pad_edge=False)
    for name in presets():
        ruleset = Ruleset.load(name)
        fewest, most = int(ruleset.rules.players_min), int(ruleset.rules.players_max)
        players = str(fewest) if fewest == most else f"{fewest}-{most}"
        table.add_row(name, players, ruleset.description)
    Console(width=None if sys.stdout.isatty() else WIDTH).print(table)


def explain_option(name: str) -> None:
    """One option: its meaning, its values, and who has which."""
    if name not in OPTIONS:
        hint = nearest(name, OPTIONS) or "`rubicon rules classic --options` lists them."
        raise RubiconError("ruleset/unknown-option", f"There is no option {quoted(name)}.", hint)
    option = OPTIONS[name]
    click.echo(f"{name}: {option.meaning} [{', '.join(option.sources)}]")
    for value, meaning in option.values.items():
        click.echo(f"  {value}: {meaning}")
    by_value: dict[str, list[str]] = {}
    for preset in presets():
        by_value.setdefault(Ruleset.load(preset).option_text(name), []).append(preset)
    for value, names in by_value.items():
        click.echo(f"{value} in {', '.join(names)}")
