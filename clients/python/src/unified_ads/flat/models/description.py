from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.json_object import JsonObject


T = TypeVar("T", bound="Description")


@_attrs_define(kw_only=True)
class Description:
    """An OpenAPI 3.1 document.

    Attributes:
        info (JsonObject): Any JSON object.
        openapi (str):
        paths (JsonObject): Any JSON object.
    """

    info: JsonObject
    openapi: str
    paths: JsonObject
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        info = self.info.to_dict()

        openapi = self.openapi

        paths = self.paths.to_dict()

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "info": info,
                "openapi": openapi,
                "paths": paths,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.json_object import JsonObject

        d = dict(src_dict)
        info = JsonObject.from_dict(d.pop("info"))

        openapi = d.pop("openapi")

        paths = JsonObject.from_dict(d.pop("paths"))

        description = cls(
            info=info,
            openapi=openapi,
            paths=paths,
        )

        description.additional_properties = d
        return description

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
