"""Answers of one of several kinds."""

from dataclasses import dataclass
from typing import TypeVar

from . import enveloped, flat
from .enveloped.models import EnvelopedChange, EnvelopedChangeAnswer
from .flat.models import FlatChange

T = TypeVar("T")


@dataclass(frozen=True)
class AwaitingApproval:
    """The service has taken the request, and asks a person before it sends anything to a platform.

    Poll the change, or wait for its event: the same request under another key would ask a second time.
    """

    change_id: str
    # The page on which a person approves or rejects it.
    approval_url: str | None
    change: FlatChange | EnvelopedChange


def awaiting_approval(answer: object) -> AwaitingApproval | None:
    """The change of the answer, if it waits for a person."""
    change = answer.data if isinstance(answer, EnvelopedChangeAnswer) else answer
    if not isinstance(change, FlatChange | EnvelopedChange):
        return None
    if change.state not in (flat.models.ChangeState.AWAITING_APPROVAL, enveloped.models.ChangeState.AWAITING_APPROVAL):
        return None
    return AwaitingApproval(change.id, change.approval_url, change)


def expect(kind: type[T], answer: object) -> T:
    """The answer, if it is of this kind. It raises `TypeError` for others, such as a change that waits: see `outcome`."""
    if isinstance(answer, kind):
        return answer
    hint = ": it waits for a person, which `outcome` returns" if awaiting_approval(answer) else ""
    raise TypeError(f"the answer is no {kind.__name__}{hint}: {answer!r}")


def outcome(kind: type[T], answer: object) -> T | AwaitingApproval:
    """The answer of a write, which is of this kind, or waits for a person."""
    return awaiting_approval(answer) or expect(kind, answer)
