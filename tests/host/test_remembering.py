"""Answers that are believed for a few seconds."""

from __future__ import annotations

from rubicon.host.remembering import KEPT_SECONDS, Remembered


class Watch:
    """A time that the test sets."""

    def __init__(self) -> None:
        self.at = 100.0

    def __call__(self) -> float:
        return self.at


def test_an_answer_is_believed_for_some_seconds_from_its_question() -> None:
    watch = Watch()
    answers: Remembered[str, int] = Remembered(10, watch)
    asked_at = answers.now()
    watch.at += 1
    answers.keep("ann", 1, asked_at)
    watch.at = asked_at + KEPT_SECONDS
    assert answers.get("ann") == 1
    assert answers.get("bob") is None
    watch.at += 0.01
    assert answers.get("ann") is None


def test_an_answer_that_was_asked_for_before_all_was_forgotten_is_not_kept() -> None:
    watch = Watch()
    answers: Remembered[str, int] = Remembered(10, watch)
    asked_at = answers.now()
    watch.at += 0.1
    answers.forget()
    answers.keep("ann", 1, asked_at)
    assert answers.get("ann") is None
    watch.at += 0.1
    answers.keep("ann", 2, answers.now())
    assert answers.get("ann") == 2
    answers.forget()
    assert answers.get("ann") is None


def test_no_more_is_kept_than_there_is_room_for() -> None:
    answers: Remembered[int, int] = Remembered(3, Watch())
    for number in range(4):
        answers.keep(number, number, answers.now())
    assert [answers.get(number) for number in range(4)] == [None, None, None, 3]
