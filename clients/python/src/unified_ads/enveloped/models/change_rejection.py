from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar, cast

from attrs import define as _attrs_define

from ..types import UNSET, Unset

T = TypeVar("T", bound="ChangeRejection")


@_attrs_define(kw_only=True)
class ChangeRejection:
    """The decision of a person not to make a change.

    Attributes:
        rejected_by (str): Your own word for the person who has decided, such as the id that they have with you: one
            line of visible characters. It stands in the history beside the API key.
        reason (None | str | Unset): Why, in one line of visible characters. It stands in the `error` of the change.
    """

    rejected_by: str
    reason: None | str | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        rejected_by = self.rejected_by

        reason: None | str | Unset
        if isinstance(self.reason, Unset):
            reason = UNSET
        else:
            reason = self.reason

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "rejected_by": rejected_by,
            }
        )
        if reason is not UNSET:
            field_dict["reason"] = reason

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        rejected_by = d.pop("rejected_by")

        def _parse_reason(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        reason = _parse_reason(d.pop("reason", UNSET))

        change_rejection = cls(
            rejected_by=rejected_by,
            reason=reason,
        )

        return change_rejection
