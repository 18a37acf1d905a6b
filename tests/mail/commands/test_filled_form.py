"""A form inside the quotation counts only where one of its lines differs."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubicon.mail.mail_commands import FilledForm, SentForm, filled_form
from rubicon.mail.reading.incoming_mail import LineRole, MailLine
from tests.mail.corpus_messages import FORM

BARE = SentForm(FORM.lines)


def returned(*lines: str, around: bool = True) -> tuple[MailLine, ...]:
    """A quotation with the form; lines that begin with `+` are the player's."""
    text = ["Hello Ann,", FORM.before, *lines, FORM.after, "Token: x"] if around else lines
    return tuple(
        MailLine(line[1:], 0) if line.startswith("+") else MailLine(line, 1, LineRole.QUOTED)
        for line in text
    )


def form_of(*lines: str, form: SentForm = FORM, around: bool = True) -> FilledForm:
    """The form that came back."""
    found = filled_form(returned(*lines, around=around), form)
    assert found is not None
    return found


@pytest.mark.parametrize("form", [FORM, BARE])
def test_the_form_as_it_was_sent_is_unchanged(form: SentForm) -> None:
    assert form_of(*FORM.lines, form=form).changed == ()
    assert form_of(*(f"    {line.upper()} " for line in FORM.lines), form=form).changed == ()
    assert form_of(*(line.replace("->", "→") for line in FORM.lines), form=form).changed == ()


@pytest.mark.parametrize(
    ("at", "line"),
    [
        (0, "TRADE NO"),
        (1, "DEPLOY 17 ontario"),
        (2, "ATTACK ontario -> western_united_states UNTIL LEFT 3"),
        (4, "+FORTIFY alaska -> alberta 2"),
    ],
)
def test_a_changed_line_counts(at: int, line: str) -> None:
    lines = list(FORM.lines)
    lines[at] = line
    assert form_of(*lines).changed == (line.lstrip("+"),)


def test_an_added_line_and_a_repeated_one_count() -> None:
    assert form_of(*FORM.lines[:2], "+ATTACK a -> b", *FORM.lines[2:]).changed == ("ATTACK a -> b",)
    assert form_of(FORM.lines[0], *FORM.lines).changed == (FORM.lines[0],)


def test_a_deleted_line_or_a_changed_comment_is_no_answer() -> None:
    assert form_of(*FORM.lines[1:]).changed == ()
    assert form_of(*FORM.lines[:4]).changed == ()
    assert form_of(*FORM.lines, "// what shall I do?").changed == ()


@pytest.mark.parametrize("at", range(3))
def test_lines_that_a_program_wrapped_are_whole_again(at: int) -> None:
    cut = FORM.lines[2].split(" ", at + 2)
    head, tail = " ".join(cut[:-1]), cut[-1]
    for second in (tail, f"+{tail}"):
        found = form_of(*FORM.lines[:2], head, second, *FORM.lines[3:])
        assert (found.lines, found.changed) == (FORM.lines, ())


def test_without_its_quotation_there_is_no_form() -> None:
    assert filled_form((MailLine("TRADE BEST"), MailLine("END")), FORM) is None
    assert filled_form(returned("nothing of it", around=False), FORM) is None
    assert filled_form(returned(*FORM.lines), SentForm(())) is None


def test_a_form_of_another_e_mail_is_not_this_form() -> None:
    other = returned("DEPLOY 3 brazil", "// FORTIFY peru -> brazil ALL", "END")
    assert filled_form(other, FORM) is None


def test_the_only_order_of_a_form_may_be_changed() -> None:
    short = SentForm(("DEFEND MAX", "END"), FORM.before, FORM.after)
    assert form_of("DEFEND 1 alaska", "END", form=short).changed == ("DEFEND 1 alaska",)


def test_an_older_form_below_is_not_read() -> None:
    older = ("DEPLOY 3 brazil", "END")
    lines = (*returned(*FORM.lines), *returned(*older))
    found = filled_form(lines, FORM)
    assert found is not None
    assert found.changed == ()


@given(st.lists(st.sampled_from([*FORM.lines, "x", "+y", FORM.before, FORM.after]), max_size=30))
def test_any_quotation_is_read(lines: list[str]) -> None:
    found = filled_form(returned(*lines), FORM)
    assert found is None or set(found.changed) <= set(found.lines)
