"""What a line says is read and written by one codec, and a hosted game is changed by fold alone.

`tests/table/old_games` holds backups of games that an older version played, which had no types for
its lines: between them they have every kind of line.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from rubicon.errors import RubiconError
from rubicon.players.player import Player
from rubicon.table import table_service
from rubicon.table.admin.audit import begun, verify_store
from rubicon.table.admin.backup import restore
from rubicon.table.errors import TableError
from rubicon.table.game.game_cache import rebuilt
from rubicon.table.game.hosted_game import HostedGame
from rubicon.table.game.log_lines import LineKind, LogLine, payload_of, read_payload
from rubicon.table.storage.database import Store
from rubicon.table.storage.event_log import lines_of
from rubicon.table.table_service import TableService
from tests.table.hosted import SOON, Hosted

OLD_GAMES = sorted((Path(__file__).parents[1] / "old_games").glob("*.gz"))
SOURCE = Path(__file__).parents[3] / "src" / "rubicon"
SEVERAL = 8  # decisions that an old game goes on for


@pytest.fixture(params=OLD_GAMES, ids=lambda file: file.stem)
def old(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    """A database with old games."""
    store = Store.open(str(tmp_path / "games.db"))
    restore(store, request.param)
    yield store
    store.close()


def logs(store: Store) -> Iterator[tuple[HostedGame, list[LogLine]]]:
    """Each game with its log."""
    for game in store.read(begun):
        lines = store.read(partial(lines_of, game=game))
        yield store.read(partial(rebuilt, game=game)), lines


def test_old_lines_are_written_as_they_were_read(old: Store) -> None:
    for hosted, lines in logs(old):
        for line in lines:
            assert payload_of(line, hosted.game).text() == line.text


def test_old_games_are_sound_and_go_on(old: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_service, "LINK_TIMEOUT", 0.1)  # no client answers here
    assert verify_store(old).damaged == {}
    table = TableService(old)
    for name in old.read(begun):
        game = Hosted(table, name)
        bots = {c: Player("greedy", c, seed=1) for c in game.snapshot.game().colours}
        for _ in range(SEVERAL):
            if game.snapshot.forked or not game.snapshot.decisions:
                break
            seat, decision = game.mover()
            action = bots[seat].decide(game.snapshot.game())
            try:
                game.submit_async(seat, decision, str(action)).result(SOON)
            except RubiconError:
                break  # it waits for a client of its dice, which is gone
    assert verify_store(old).damaged == {}


def test_old_games_have_every_kind_of_line(tmp_path: Path) -> None:
    kinds = set[LineKind]()
    for number, file in enumerate(OLD_GAMES):
        store = Store.open(str(tmp_path / f"{number}.db"))
        restore(store, file)
        kinds |= {line.kind for _, lines in logs(store) for line in lines}
        store.close()
    assert kinds == set(LineKind)


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        (LineKind.BEGIN, "{"),
        (LineKind.SIGNED, '{"words": "x"}'),
        (LineKind.REQUEST, "soon"),
        (LineKind.LINK, "red.1 xx"),
        (LineKind.SEALED, "{}"),
        (LineKind.UNDO, "the last"),
        (LineKind.PAUSE, "perhaps"),
        (LineKind.LOST_LINES, ""),
        (LineKind.FORK, "twelve abcdefghij"),
    ],
)
def test_a_damaged_text_is_named(kind: LineKind, text: str) -> None:
    with pytest.raises(TableError) as caught:
        read_payload(kind, text)
    assert caught.value.code == "log/unreadable"


MUTATORS = {"add", "append", "clear", "discard", "pop", "remove", "setdefault", "update"}


def is_of_hosted(node: ast.AST) -> bool:
    """Whether an expression is an attribute of a hosted game, however deep."""
    while isinstance(node, ast.Attribute | ast.Subscript):
        inner = node.value
        named = isinstance(inner, ast.Name) and inner.id in {"hosted", "state"}
        if named or (isinstance(inner, ast.Attribute) and inner.attr == "hosted"):
            return True
        node = inner
    return False


def writes(tree: ast.Module) -> Iterator[str]:
    """The statements of a module that change a hosted game."""
    for node in ast.walk(tree):
        targets: list[ast.expr] = []
        if isinstance(node, ast.Assign):
            targets = node.targets
        elif isinstance(node, ast.AugAssign | ast.AnnAssign):
            targets = [node.target]
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            targets = [node.func.value] if node.func.attr in MUTATORS else []
        yield from (ast.unparse(target) for target in targets if is_of_hosted(target))


def test_no_other_module_changes_a_hosted_game() -> None:
    found = {
        file.name: changed
        for file in sorted(SOURCE.rglob("*.py"))
        if file.name != "hosted_game.py"
        and "hosted" in (text := file.read_text("utf-8")).lower()
        and (changed := [*writes(ast.parse(text))])
    }
    # The audit reads the dice line by line, as a checker does.
    assert found == {"dice_lines.py": ["self.hosted.transcript"]}
