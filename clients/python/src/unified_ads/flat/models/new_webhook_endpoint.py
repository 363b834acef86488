from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar, cast

from attrs import define as _attrs_define

from ..models.event_type_choice import EventTypeChoice
from ..models.payload_shape import PayloadShape
from ..types import UNSET, Unset

T = TypeVar("T", bound="NewWebhookEndpoint")


@_attrs_define(kw_only=True)
class NewWebhookEndpoint:
    """A webhook endpoint. Without `shape` it is flat.

    Attributes:
        types (list[EventTypeChoice]): The types of events that the endpoint receives. `["*"]` is every type, later ones
            included; beside others it is 400.
        url (str): An absolute URL with `https` on port 443, without user name and fragment, at most 2,000 characters.
            It is stored in its canonical spelling. Where the service runs on your own machine, `localhost`, `127.0.0.1` and
            `[::1]` are allowed with `http` on every port.
        description (None | str | Unset): Your note, on one line.
        shape (PayloadShape | Unset): The shape of the events' payload, with its spelling of goals, statuses and
            platforms.
    """

    types: list[EventTypeChoice]
    url: str
    description: None | str | Unset = UNSET
    shape: PayloadShape | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        types = []
        for componentsschemas_event_types_item_data in self.types:
            componentsschemas_event_types_item = componentsschemas_event_types_item_data.value
            types.append(componentsschemas_event_types_item)

        url = self.url

        description: None | str | Unset
        if isinstance(self.description, Unset):
            description = UNSET
        else:
            description = self.description

        shape: str | Unset = UNSET
        if not isinstance(self.shape, Unset):
            shape = self.shape.value

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "types": types,
                "url": url,
            }
        )
        if description is not UNSET:
            field_dict["description"] = description
        if shape is not UNSET:
            field_dict["shape"] = shape

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        types = []
        _types = d.pop("types")
        for componentsschemas_event_types_item_data in _types:
            componentsschemas_event_types_item = EventTypeChoice(componentsschemas_event_types_item_data)

            types.append(componentsschemas_event_types_item)

        url = d.pop("url")

        def _parse_description(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        description = _parse_description(d.pop("description", UNSET))

        _shape = d.pop("shape", UNSET)
        shape: PayloadShape | Unset
        if isinstance(_shape, Unset):
            shape = UNSET
        else:
            shape = PayloadShape(_shape)

        new_webhook_endpoint = cls(
            types=types,
            url=url,
            description=description,
            shape=shape,
        )

        return new_webhook_endpoint
