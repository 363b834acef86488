from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.event_type_choice import EventTypeChoice
from ..models.payload_shape import PayloadShape
from ..models.webhook_endpoint_status import WebhookEndpointStatus

T = TypeVar("T", bound="WebhookEndpointWithSecret")


@_attrs_define(kw_only=True)
class WebhookEndpointWithSecret:
    """A webhook endpoint with a new secret.

    Attributes:
        created_at (datetime.datetime):
        description (None | str): Your note, on one line.
        disabled_reason (None | str): Why the service has disabled the endpoint. Null if it has not.
        id (str): Webhook endpoint id.
        secret (str): Signs what the endpoint receives, by HMAC-SHA256 with the 32 bytes that follow `whsec_` in Base64.
            No later response contains it.
        shape (PayloadShape): The shape of the events' payload, with its spelling of goals, statuses and platforms.
        status (WebhookEndpointStatus): `enabled`: the endpoint receives events. `disabled`: it does not.
        types (list[EventTypeChoice]): The types of events that the endpoint receives. `["*"]` is every type, later ones
            included; beside others it is 400.
        url (str): An absolute URL with `https` on port 443, without user name and fragment, at most 2,000 characters.
            It is stored in its canonical spelling. Where the service runs on your own machine, `localhost`, `127.0.0.1` and
            `[::1]` are allowed with `http` on every port.
    """

    created_at: datetime.datetime
    description: None | str
    disabled_reason: None | str
    id: str
    secret: str
    shape: PayloadShape
    status: WebhookEndpointStatus
    types: list[EventTypeChoice]
    url: str
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        created_at = self.created_at.isoformat()

        description: None | str
        description = self.description

        disabled_reason: None | str
        disabled_reason = self.disabled_reason

        id = self.id

        secret = self.secret

        shape = self.shape.value

        status = self.status.value

        types = []
        for componentsschemas_event_types_item_data in self.types:
            componentsschemas_event_types_item = componentsschemas_event_types_item_data.value
            types.append(componentsschemas_event_types_item)

        url = self.url

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "created_at": created_at,
                "description": description,
                "disabled_reason": disabled_reason,
                "id": id,
                "secret": secret,
                "shape": shape,
                "status": status,
                "types": types,
                "url": url,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        created_at = datetime.datetime.fromisoformat(d.pop("created_at"))

        def _parse_description(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        description = _parse_description(d.pop("description"))

        def _parse_disabled_reason(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        disabled_reason = _parse_disabled_reason(d.pop("disabled_reason"))

        id = d.pop("id")

        secret = d.pop("secret")

        shape = PayloadShape(d.pop("shape"))

        status = WebhookEndpointStatus(d.pop("status"))

        types = []
        _types = d.pop("types")
        for componentsschemas_event_types_item_data in _types:
            componentsschemas_event_types_item = EventTypeChoice(componentsschemas_event_types_item_data)

            types.append(componentsschemas_event_types_item)

        url = d.pop("url")

        webhook_endpoint_with_secret = cls(
            created_at=created_at,
            description=description,
            disabled_reason=disabled_reason,
            id=id,
            secret=secret,
            shape=shape,
            status=status,
            types=types,
            url=url,
        )

        webhook_endpoint_with_secret.additional_properties = d
        return webhook_endpoint_with_secret

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
