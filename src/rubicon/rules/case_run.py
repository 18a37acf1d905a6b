"""Running a case: under each of its presets, step by step, until something is not as it says."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from rubicon.rules.board import COLOURS
from rubicon.rules.case_actions import Failed
from rubicon.rules.case_names import Setting
from rubicon.rules.case_position import PositionWriter, cleared
from rubicon.rules.case_show import show_position
from rubicon.rules.case_steps import Stage, Step, read_step
from rubicon.rules.case_text import Case, CaseFault, Line, trouble
from rubicon.rules.errors import RubiconError
from rubicon.rules.game import Game
from rubicon.rules.position import Standing
from rubicon.rules.ruleset import Ruleset, preset_names
from rubicon.rules.ruleset_file import DEFAULT_PRESET
from rubicon.rules.suggestions import nearest


@dataclass(frozen=True, slots=True)
class Trial:
    """A case under one preset, understood and ready to run."""

    case: Case
    preset: str
    setting: Setting
    game: Game | None
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Failure:
    """Where a case failed: the step, what it expected, what was there, the position before."""

    case: Case
    preset: str
    line: Line
    expected: str
    found: str
    position: tuple[str, ...]

    def __str__(self) -> str:
        case = self.case
        lines = [
            f"FAILED {case.name} under {self.preset}: {case.title}",
            f"  {case.source}:{self.line.number}: {self.line.text}",
            f"  expected: {self.expected}",
            f"  found:    {self.found}",
        ]
        if self.position:
            lines.append("  position before this step:")
        return "\n".join([*lines, *(f"    {line}" for line in self.position)])


def prepare(case: Case) -> tuple[list[Trial], list[CaseFault]]:
    """Understand a case under each of its presets; all that is wrong with it, once."""
    trials: list[Trial] = []
    faults: dict[tuple[int, str], CaseFault] = {}
    presets = tuple(_presets(case, faults))
    if not presets and faults:
        _remember(faults, _faults_apart(case, DEFAULT_PRESET))
    for preset in presets:
        trial, wrong = _prepare(case, preset)
        if trial is not None:
            trials.append(trial)
        _remember(faults, wrong)
    if not trials and not faults:
        error = trouble("no-preset", "No preset admits this number of seats.")
        faults[0, ""] = CaseFault(case.source, case.line, error)
    return trials, list(faults.values())


def _remember(faults: dict[tuple[int, str], CaseFault], wrong: list[CaseFault]) -> None:
    for fault in wrong:
        faults.setdefault((fault.line.number, fault.message), fault)


def _presets(case: Case, faults: dict[tuple[int, str], CaseFault]) -> Iterator[str]:
    known = preset_names()
    named = () if case.for_all else case.presets
    for name in (*named, *case.without):
        if name not in known:
            _unknown_preset(case, name, faults)
    chosen = known if case.for_all else named
    yield from (name for name in chosen if name in known and name not in case.without)


def _unknown_preset(case: Case, name: str, faults: dict[tuple[int, str], CaseFault]) -> None:
    text = f"There is no preset {name!r}; expected one of {', '.join(preset_names())}."
    error = trouble("unknown-preset", text, nearest(name, preset_names()))
    line = case.preset_line or case.line
    faults[line.number, name] = CaseFault(case.source, line, error)


def _prepare(case: Case, preset: str) -> tuple[Trial | None, list[CaseFault]]:
    """A trial of the case under a preset; None without faults where its seats do not fit."""
    try:
        options = tuple((name, value) for _, name, value in case.options)
        ruleset = _ruleset(preset, case.board, options)
    except RubiconError as error:
        fault = CaseFault(case.source, _option_line(case, error), error)
        return None, [fault, *_faults_apart(case, preset)]
    least, most = int(ruleset.rules.players_min), int(ruleset.rules.players_max)
    seats = case.seats or COLOURS[: _seats_of(case) or least]
    if not least <= len(seats) <= most:
        if case.for_all:
            return None, []
        text = f"{preset} is for {least} to {most} players, not for {len(seats)}."
        return None, [CaseFault(case.source, case.line, trouble("seats", text))]
    return _understand(case, preset, Setting(ruleset, tuple(seats)))


def _faults_apart(case: Case, preset: str) -> list[CaseFault]:
    """What else is wrong with a case whose preset or options are: told together with them."""
    ruleset = _ruleset(preset, "", ())
    seats = case.seats or COLOURS[: max(_seats_of(case), int(ruleset.rules.players_min))]
    if not ruleset.rules.players_min <= len(seats) <= ruleset.rules.players_max:
        return []
    return _understand(case, preset, Setting(ruleset, tuple(seats)))[1]


@cache
def _ruleset(preset: str, board: str, options: tuple[tuple[str, str], ...]) -> Ruleset:
    return Ruleset.load(preset, dict(options), board=board or None)


def _option_line(case: Case, error: RubiconError) -> Line:
    """The line of the option that an error speaks of."""
    for line, name, _ in case.options:
        if name in error.message:
            return line
    return case.options[0][0] if case.options else case.line


def _seats_of(case: Case) -> int:
    """The number of players with which the case starts a game, if it says so."""
    for step in case.steps:
        if step.keyword == "start" and len(step.words) > 1 and step.words[1].isdecimal():
            return int(step.words[1])
    return 0


def _understand(case: Case, preset: str, setting: Setting) -> tuple[Trial | None, list[CaseFault]]:
    faults = [
        CaseFault(case.source, case.line, trouble("seats", f"{colour!r} is no colour."))
        for colour in setting.seats
        if colour not in COLOURS
    ]
    if faults:
        return None, faults
    game, faults = _opening_position(case, setting)
    steps: list[Step] = []
    for line in case.steps:
        try:
            steps.append(read_step(setting, line))
        except RubiconError as error:
            faults.append(CaseFault(case.source, line, error))
    if faults:
        return None, faults
    return Trial(case, preset, setting, game, tuple(steps)), []


def _opening_position(case: Case, setting: Setting) -> tuple[Game | None, list[CaseFault]]:
    if not case.position:
        return None, []
    try:
        blank = Game.new(setting.ruleset, colours=setting.seats, standing=Standing.NONE)
    except RubiconError as error:
        return None, [CaseFault(case.source, case.line, error)]
    writer = PositionWriter(setting, cleared(blank.copy().position), case.source)
    writer.write(case.position)
    if not writer.faults:
        writer.finish(case.line)
    if writer.faults:
        return None, writer.faults
    return Game.from_position(setting.ruleset, writer.position), []


def run(trial: Trial) -> Failure | None:
    """Run a case under one preset; None where all is as it says."""
    stage = Stage(trial.setting, trial.game.copy() if trial.game else None)
    for step in trial.steps:
        before = stage.game.copy() if stage.game else None
        failed = _attempt(stage, step)
        if failed is not None:
            shown = show_position(trial.setting, before.position) if before else []
            return Failure(
                trial.case, trial.preset, step.line, failed.expected, failed.found, tuple(shown)
            )
    return None


def _attempt(stage: Stage, step: Step) -> Failed | None:
    try:
        step.run(stage)
    except Failed as failed:
        return failed
    except RubiconError as error:
        return Failed("this to be possible", f"{error.code}: {error}")
    except Exception as error:  # a fault of the engine is a failure of the case, not of the run
        return Failed("this to be possible", f"the engine broke: {type(error).__name__}: {error}")
    return None
