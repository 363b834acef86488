from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar, cast

from attrs import define as _attrs_define

from ..models.event_type_choice import EventTypeChoice
from ..models.payload_shape import PayloadShape
from ..models.webhook_endpoint_status import WebhookEndpointStatus
from ..types import UNSET, Unset

T = TypeVar("T", bound="WebhookEndpointChanges")


@_attrs_define(kw_only=True)
class WebhookEndpointChanges:
    """What to change of a webhook endpoint. A description of null removes it.

    Attributes:
        description (None | str | Unset): Your note, on one line.
        shape (PayloadShape | Unset): The shape of the events' payload, with its spelling of goals, statuses and
            platforms.
        status (WebhookEndpointStatus | Unset): `enabled`: the endpoint receives events. `disabled`: it does not.
        types (list[EventTypeChoice] | Unset): The types of events that the endpoint receives. `["*"]` is every type,
            later ones included; beside others it is 400.
        url (str | Unset): An absolute URL with `https` on port 443, without user name and fragment, at most 2,000
            characters. It is stored in its canonical spelling. Where the service runs on your own machine, `localhost`,
            `127.0.0.1` and `[::1]` are allowed with `http` on every port.
    """

    description: None | str | Unset = UNSET
    shape: PayloadShape | Unset = UNSET
    status: WebhookEndpointStatus | Unset = UNSET
    types: list[EventTypeChoice] | Unset = UNSET
    url: str | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        description: None | str | Unset
        if isinstance(self.description, Unset):
            description = UNSET
        else:
            description = self.description

        shape: str | Unset = UNSET
        if not isinstance(self.shape, Unset):
            shape = self.shape.value

        status: str | Unset = UNSET
        if not isinstance(self.status, Unset):
            status = self.status.value

        types: list[str] | Unset = UNSET
        if not isinstance(self.types, Unset):
            types = []
            for componentsschemas_event_types_item_data in self.types:
                componentsschemas_event_types_item = componentsschemas_event_types_item_data.value
                types.append(componentsschemas_event_types_item)

        url = self.url

        field_dict: dict[str, Any] = {}

        field_dict.update({})
        if description is not UNSET:
            field_dict["description"] = description
        if shape is not UNSET:
            field_dict["shape"] = shape
        if status is not UNSET:
            field_dict["status"] = status
        if types is not UNSET:
            field_dict["types"] = types
        if url is not UNSET:
            field_dict["url"] = url

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)

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

        _status = d.pop("status", UNSET)
        status: WebhookEndpointStatus | Unset
        if isinstance(_status, Unset):
            status = UNSET
        else:
            status = WebhookEndpointStatus(_status)

        _types = d.pop("types", UNSET)
        types: list[EventTypeChoice] | Unset = UNSET
        if _types is not UNSET:
            types = []
            for componentsschemas_event_types_item_data in _types:
                componentsschemas_event_types_item = EventTypeChoice(componentsschemas_event_types_item_data)

                types.append(componentsschemas_event_types_item)

        url = d.pop("url", UNSET)

        webhook_endpoint_changes = cls(
            description=description,
            shape=shape,
            status=status,
            types=types,
            url=url,
        )

        return webhook_endpoint_changes
