"""Answers of one of several kinds."""

from typing import TypeVar

T = TypeVar("T")


def expect(kind: type[T], answer: object) -> T:
    """The answer, if it is of this kind: a create answers with a campaign, a dry run, or a change that waits."""
    if not isinstance(answer, kind):
        raise TypeError(f"the answer is no {kind.__name__}: {answer!r}")
    return answer
