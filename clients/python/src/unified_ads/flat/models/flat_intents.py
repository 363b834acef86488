from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar
from uuid import UUID

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.flat_intent import FlatIntent


T = TypeVar("T", bound="FlatIntents")


@_attrs_define(kw_only=True)
class FlatIntents:
    """Outcome of a create request, in the flat shape.

    Attributes:
        request_id (UUID): The requested id.
        targets (list[FlatIntent]): One for each target.
    """

    request_id: UUID
    targets: list[FlatIntent]
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        request_id = str(self.request_id)

        targets = []
        for targets_item_data in self.targets:
            targets_item = targets_item_data.to_dict()
            targets.append(targets_item)

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "request_id": request_id,
                "targets": targets,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.flat_intent import FlatIntent

        d = dict(src_dict)
        request_id = UUID(d.pop("request_id"))

        targets = []
        _targets = d.pop("targets")
        for targets_item_data in _targets:
            targets_item = FlatIntent.from_dict(targets_item_data)

            targets.append(targets_item)

        flat_intents = cls(
            request_id=request_id,
            targets=targets,
        )

        flat_intents.additional_properties = d
        return flat_intents

    @property
    def additional_keys(self) -> list[str]:
        return list(self.additional_properties.keys())

    def __getitem__(self, key: str) -> Any:
        return self.additional_properties[key]

    def __setitem__(self, key: str, value: Any) -> None:
        self.additional_properties[key] = value

    def __delitem__(self, key: str) -> None:
        del self.additional_properties[key]

    def __contains__(self, key: str) -> bool:
        return key in self.additional_properties
