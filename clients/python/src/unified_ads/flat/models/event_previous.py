from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.previous_api_key import PreviousApiKey
    from ..models.previous_billing import PreviousBilling
    from ..models.previous_change import PreviousChange
    from ..models.previous_connection import PreviousConnection
    from ..models.previous_user import PreviousUser
    from ..models.previous_webhook_endpoint import PreviousWebhookEndpoint


T = TypeVar("T", bound="EventPrevious")


@_attrs_define(kw_only=True)
class EventPrevious:
    """The old values of the record that the type is named after. Of a change that is its `state`; what it made of its
    campaign is in `before` and `after` of the change itself.

        Attributes:
            api_key (PreviousApiKey | Unset): An API key before the event: what a rotation has replaced, or that it was not
                stopped.
            billing (PreviousBilling | Unset): The billing status before the event.
            change (PreviousChange | Unset): A change before the event.
            connection (PreviousConnection | Unset): A connection before the event: what of it was another.
            user (PreviousUser | Unset): A user before the event: what of it was another.
            webhook_endpoint (PreviousWebhookEndpoint | Unset): A webhook endpoint before the event.
    """

    api_key: PreviousApiKey | Unset = UNSET
    billing: PreviousBilling | Unset = UNSET
    change: PreviousChange | Unset = UNSET
    connection: PreviousConnection | Unset = UNSET
    user: PreviousUser | Unset = UNSET
    webhook_endpoint: PreviousWebhookEndpoint | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        api_key: dict[str, Any] | Unset = UNSET
        if not isinstance(self.api_key, Unset):
            api_key = self.api_key.to_dict()

        billing: dict[str, Any] | Unset = UNSET
        if not isinstance(self.billing, Unset):
            billing = self.billing.to_dict()

        change: dict[str, Any] | Unset = UNSET
        if not isinstance(self.change, Unset):
            change = self.change.to_dict()

        connection: dict[str, Any] | Unset = UNSET
        if not isinstance(self.connection, Unset):
            connection = self.connection.to_dict()

        user: dict[str, Any] | Unset = UNSET
        if not isinstance(self.user, Unset):
            user = self.user.to_dict()

        webhook_endpoint: dict[str, Any] | Unset = UNSET
        if not isinstance(self.webhook_endpoint, Unset):
            webhook_endpoint = self.webhook_endpoint.to_dict()

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update({})
        if api_key is not UNSET:
            field_dict["api_key"] = api_key
        if billing is not UNSET:
            field_dict["billing"] = billing
        if change is not UNSET:
            field_dict["change"] = change
        if connection is not UNSET:
            field_dict["connection"] = connection
        if user is not UNSET:
            field_dict["user"] = user
        if webhook_endpoint is not UNSET:
            field_dict["webhook_endpoint"] = webhook_endpoint

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.previous_api_key import PreviousApiKey
        from ..models.previous_billing import PreviousBilling
        from ..models.previous_change import PreviousChange
        from ..models.previous_connection import PreviousConnection
        from ..models.previous_user import PreviousUser
        from ..models.previous_webhook_endpoint import PreviousWebhookEndpoint

        d = dict(src_dict)
        _api_key = d.pop("api_key", UNSET)
        api_key: PreviousApiKey | Unset
        if isinstance(_api_key, Unset):
            api_key = UNSET
        else:
            api_key = PreviousApiKey.from_dict(_api_key)

        _billing = d.pop("billing", UNSET)
        billing: PreviousBilling | Unset
        if isinstance(_billing, Unset):
            billing = UNSET
        else:
            billing = PreviousBilling.from_dict(_billing)

        _change = d.pop("change", UNSET)
        change: PreviousChange | Unset
        if isinstance(_change, Unset):
            change = UNSET
        else:
            change = PreviousChange.from_dict(_change)

        _connection = d.pop("connection", UNSET)
        connection: PreviousConnection | Unset
        if isinstance(_connection, Unset):
            connection = UNSET
        else:
            connection = PreviousConnection.from_dict(_connection)

        _user = d.pop("user", UNSET)
        user: PreviousUser | Unset
        if isinstance(_user, Unset):
            user = UNSET
        else:
            user = PreviousUser.from_dict(_user)

        _webhook_endpoint = d.pop("webhook_endpoint", UNSET)
        webhook_endpoint: PreviousWebhookEndpoint | Unset
        if isinstance(_webhook_endpoint, Unset):
            webhook_endpoint = UNSET
        else:
            webhook_endpoint = PreviousWebhookEndpoint.from_dict(_webhook_endpoint)

        event_previous = cls(
            api_key=api_key,
            billing=billing,
            change=change,
            connection=connection,
            user=user,
            webhook_endpoint=webhook_endpoint,
        )

        event_previous.additional_properties = d
        return event_previous

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
