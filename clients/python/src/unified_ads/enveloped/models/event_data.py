from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.api_key_at_event import ApiKeyAtEvent
    from ..models.billing_status import BillingStatus
    from ..models.campaign_at_event import CampaignAtEvent
    from ..models.connection import Connection
    from ..models.flat_change import FlatChange
    from ..models.limit_refusal import LimitRefusal
    from ..models.quota_at_event import QuotaAtEvent
    from ..models.review_at_event import ReviewAtEvent
    from ..models.user_at_event import UserAtEvent
    from ..models.webhook_endpoint import WebhookEndpoint


T = TypeVar("T", bound="EventData")


@_attrs_define(kw_only=True)
class EventData:
    """What the event is about, as its `GET` answered then; `campaign` has fewer fields than its own. The first part of the
    type says which members it has: `change.applied` has `change` and `campaign`.

        Attributes:
            api_key (ApiKeyAtEvent | Unset): An API key, without its spending limit. Of a refusal by a limit the id alone.
            billing (BillingStatus | Unset): Billing status of the customer.
            campaign (CampaignAtEvent | None | Unset): The campaign of the change as it was read for the event. Null before
                a create has made it, and if it was not read.
            change (FlatChange | Unset): Something that was done to a campaign, in the flat shape.
            connection (Connection | Unset): A connected ad account.
            count (int | Unset): Refusals by the limit that no event has told before, with this one.
            quota (QuotaAtEvent | Unset): The use of the plan's quota.
            review (ReviewAtEvent | Unset): What a person decides on, as it was when they were asked. `GET
                /v1/changes/{id}/review` has it as it is now, with the exact requests and what the key has left.
            spending_limit (LimitRefusal | Unset): The spending limit that refuses the request. Nothing was sent.
            user (UserAtEvent | Unset): One of your users, without its spending limit. Of a refusal by the limit of a user
                the name alone.
            webhook_endpoint (WebhookEndpoint | Unset): A webhook endpoint, without its secret.
    """

    api_key: ApiKeyAtEvent | Unset = UNSET
    billing: BillingStatus | Unset = UNSET
    campaign: CampaignAtEvent | None | Unset = UNSET
    change: FlatChange | Unset = UNSET
    connection: Connection | Unset = UNSET
    count: int | Unset = UNSET
    quota: QuotaAtEvent | Unset = UNSET
    review: ReviewAtEvent | Unset = UNSET
    spending_limit: LimitRefusal | Unset = UNSET
    user: UserAtEvent | Unset = UNSET
    webhook_endpoint: WebhookEndpoint | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        from ..models.campaign_at_event import CampaignAtEvent

        api_key: dict[str, Any] | Unset = UNSET
        if not isinstance(self.api_key, Unset):
            api_key = self.api_key.to_dict()

        billing: dict[str, Any] | Unset = UNSET
        if not isinstance(self.billing, Unset):
            billing = self.billing.to_dict()

        campaign: dict[str, Any] | None | Unset
        if isinstance(self.campaign, Unset):
            campaign = UNSET
        elif isinstance(self.campaign, CampaignAtEvent):
            campaign = self.campaign.to_dict()
        else:
            campaign = self.campaign

        change: dict[str, Any] | Unset = UNSET
        if not isinstance(self.change, Unset):
            change = self.change.to_dict()

        connection: dict[str, Any] | Unset = UNSET
        if not isinstance(self.connection, Unset):
            connection = self.connection.to_dict()

        count = self.count

        quota: dict[str, Any] | Unset = UNSET
        if not isinstance(self.quota, Unset):
            quota = self.quota.to_dict()

        review: dict[str, Any] | Unset = UNSET
        if not isinstance(self.review, Unset):
            review = self.review.to_dict()

        spending_limit: dict[str, Any] | Unset = UNSET
        if not isinstance(self.spending_limit, Unset):
            spending_limit = self.spending_limit.to_dict()

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
        if campaign is not UNSET:
            field_dict["campaign"] = campaign
        if change is not UNSET:
            field_dict["change"] = change
        if connection is not UNSET:
            field_dict["connection"] = connection
        if count is not UNSET:
            field_dict["count"] = count
        if quota is not UNSET:
            field_dict["quota"] = quota
        if review is not UNSET:
            field_dict["review"] = review
        if spending_limit is not UNSET:
            field_dict["spending_limit"] = spending_limit
        if user is not UNSET:
            field_dict["user"] = user
        if webhook_endpoint is not UNSET:
            field_dict["webhook_endpoint"] = webhook_endpoint

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.api_key_at_event import ApiKeyAtEvent
        from ..models.billing_status import BillingStatus
        from ..models.campaign_at_event import CampaignAtEvent
        from ..models.connection import Connection
        from ..models.flat_change import FlatChange
        from ..models.limit_refusal import LimitRefusal
        from ..models.quota_at_event import QuotaAtEvent
        from ..models.review_at_event import ReviewAtEvent
        from ..models.user_at_event import UserAtEvent
        from ..models.webhook_endpoint import WebhookEndpoint

        d = dict(src_dict)
        _api_key = d.pop("api_key", UNSET)
        api_key: ApiKeyAtEvent | Unset
        if isinstance(_api_key, Unset):
            api_key = UNSET
        else:
            api_key = ApiKeyAtEvent.from_dict(_api_key)

        _billing = d.pop("billing", UNSET)
        billing: BillingStatus | Unset
        if isinstance(_billing, Unset):
            billing = UNSET
        else:
            billing = BillingStatus.from_dict(_billing)

        def _parse_campaign(data: object) -> CampaignAtEvent | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                campaign_type_0 = CampaignAtEvent.from_dict(data)

                return campaign_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(CampaignAtEvent | None | Unset, data)

        campaign = _parse_campaign(d.pop("campaign", UNSET))

        _change = d.pop("change", UNSET)
        change: FlatChange | Unset
        if isinstance(_change, Unset):
            change = UNSET
        else:
            change = FlatChange.from_dict(_change)

        _connection = d.pop("connection", UNSET)
        connection: Connection | Unset
        if isinstance(_connection, Unset):
            connection = UNSET
        else:
            connection = Connection.from_dict(_connection)

        count = d.pop("count", UNSET)

        _quota = d.pop("quota", UNSET)
        quota: QuotaAtEvent | Unset
        if isinstance(_quota, Unset):
            quota = UNSET
        else:
            quota = QuotaAtEvent.from_dict(_quota)

        _review = d.pop("review", UNSET)
        review: ReviewAtEvent | Unset
        if isinstance(_review, Unset):
            review = UNSET
        else:
            review = ReviewAtEvent.from_dict(_review)

        _spending_limit = d.pop("spending_limit", UNSET)
        spending_limit: LimitRefusal | Unset
        if isinstance(_spending_limit, Unset):
            spending_limit = UNSET
        else:
            spending_limit = LimitRefusal.from_dict(_spending_limit)

        _user = d.pop("user", UNSET)
        user: UserAtEvent | Unset
        if isinstance(_user, Unset):
            user = UNSET
        else:
            user = UserAtEvent.from_dict(_user)

        _webhook_endpoint = d.pop("webhook_endpoint", UNSET)
        webhook_endpoint: WebhookEndpoint | Unset
        if isinstance(_webhook_endpoint, Unset):
            webhook_endpoint = UNSET
        else:
            webhook_endpoint = WebhookEndpoint.from_dict(_webhook_endpoint)

        event_data = cls(
            api_key=api_key,
            billing=billing,
            campaign=campaign,
            change=change,
            connection=connection,
            count=count,
            quota=quota,
            review=review,
            spending_limit=spending_limit,
            user=user,
            webhook_endpoint=webhook_endpoint,
        )

        event_data.additional_properties = d
        return event_data

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
