from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.webhook_endpoint_status import WebhookEndpointStatus

T = TypeVar("T", bound="PreviousWebhookEndpoint")


@_attrs_define(kw_only=True)
class PreviousWebhookEndpoint:
    """A webhook endpoint before the event.

    Attributes:
        status (WebhookEndpointStatus): `enabled`: the endpoint receives events. `disabled`: it does not.
    """

    status: WebhookEndpointStatus
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        status = self.status.value

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "status": status,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        status = WebhookEndpointStatus(d.pop("status"))

        previous_webhook_endpoint = cls(
            status=status,
        )

        previous_webhook_endpoint.additional_properties = d
        return previous_webhook_endpoint

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
