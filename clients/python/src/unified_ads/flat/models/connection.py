from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.connection_status import ConnectionStatus
from ..models.platform import Platform
from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.campaign_defaults import CampaignDefaults


T = TypeVar("T", bound="Connection")


@_attrs_define(kw_only=True)
class Connection:
    """A connected ad account.

    Attributes:
        account_name (None | str): Name of the ad account on the platform. Null while `PENDING`.
        campaign_defaults (CampaignDefaults | None): What new campaigns have, as an update has set it. Null before, and
            where the platform asks for nothing.
        created_at (datetime.datetime):
        currency (None | str): Currency of all amounts in the ad account. Null while `PENDING`.
        external_ref (None | str): Your user, as the authorization or an update has named it.
        id (str): Connection id. It stays the same when the account is authorized again.
        label (None | str): Your label.
        last_synced_at (datetime.datetime | None): Time of the last successful check. Null before the first.
        platform (Platform): An ad platform in the flat shape, in paths and in connections.
        remote_account_id (str): The ad account on the platform; empty while `PENDING`.
        status (ConnectionStatus): `ACTIVE`: calls succeed. `PENDING`: the user has not completed the consent page.
            `REVOKED`: the consent has ended; authorize again. `ERROR`: the platform rejects calls for another reason, see
            `status_reason`.
        time_zone (None | str): IANA name of the ad account's time zone. Null while `PENDING`.
        status_message (str | Unset): For people: what `REVOKED` or `ERROR` means, and what to do. Absent otherwise.
        status_reason (str | Unset): What the platform said, often a code, for `REVOKED` or `ERROR`. Absent otherwise.
    """

    account_name: None | str
    campaign_defaults: CampaignDefaults | None
    created_at: datetime.datetime
    currency: None | str
    external_ref: None | str
    id: str
    label: None | str
    last_synced_at: datetime.datetime | None
    platform: Platform
    remote_account_id: str
    status: ConnectionStatus
    time_zone: None | str
    status_message: str | Unset = UNSET
    status_reason: str | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        from ..models.campaign_defaults import CampaignDefaults

        account_name: None | str
        account_name = self.account_name

        campaign_defaults: dict[str, Any] | None
        if isinstance(self.campaign_defaults, CampaignDefaults):
            campaign_defaults = self.campaign_defaults.to_dict()
        else:
            campaign_defaults = self.campaign_defaults

        created_at = self.created_at.isoformat()

        currency: None | str
        currency = self.currency

        external_ref: None | str
        external_ref = self.external_ref

        id = self.id

        label: None | str
        label = self.label

        last_synced_at: None | str
        if isinstance(self.last_synced_at, datetime.datetime):
            last_synced_at = self.last_synced_at.isoformat()
        else:
            last_synced_at = self.last_synced_at

        platform = self.platform.value

        remote_account_id = self.remote_account_id

        status = self.status.value

        time_zone: None | str
        time_zone = self.time_zone

        status_message = self.status_message

        status_reason = self.status_reason

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "account_name": account_name,
                "campaign_defaults": campaign_defaults,
                "created_at": created_at,
                "currency": currency,
                "external_ref": external_ref,
                "id": id,
                "label": label,
                "last_synced_at": last_synced_at,
                "platform": platform,
                "remote_account_id": remote_account_id,
                "status": status,
                "time_zone": time_zone,
            }
        )
        if status_message is not UNSET:
            field_dict["status_message"] = status_message
        if status_reason is not UNSET:
            field_dict["status_reason"] = status_reason

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.campaign_defaults import CampaignDefaults

        d = dict(src_dict)

        def _parse_account_name(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        account_name = _parse_account_name(d.pop("account_name"))

        def _parse_campaign_defaults(data: object) -> CampaignDefaults | None:
            if data is None:
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                campaign_defaults_type_0 = CampaignDefaults.from_dict(data)

                return campaign_defaults_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(CampaignDefaults | None, data)

        campaign_defaults = _parse_campaign_defaults(d.pop("campaign_defaults"))

        created_at = datetime.datetime.fromisoformat(d.pop("created_at"))

        def _parse_currency(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        currency = _parse_currency(d.pop("currency"))

        def _parse_external_ref(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        external_ref = _parse_external_ref(d.pop("external_ref"))

        id = d.pop("id")

        def _parse_label(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        label = _parse_label(d.pop("label"))

        def _parse_last_synced_at(data: object) -> datetime.datetime | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                last_synced_at_type_0 = datetime.datetime.fromisoformat(data)

                return last_synced_at_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.datetime | None, data)

        last_synced_at = _parse_last_synced_at(d.pop("last_synced_at"))

        platform = Platform(d.pop("platform"))

        remote_account_id = d.pop("remote_account_id")

        status = ConnectionStatus(d.pop("status"))

        def _parse_time_zone(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        time_zone = _parse_time_zone(d.pop("time_zone"))

        status_message = d.pop("status_message", UNSET)

        status_reason = d.pop("status_reason", UNSET)

        connection = cls(
            account_name=account_name,
            campaign_defaults=campaign_defaults,
            created_at=created_at,
            currency=currency,
            external_ref=external_ref,
            id=id,
            label=label,
            last_synced_at=last_synced_at,
            platform=platform,
            remote_account_id=remote_account_id,
            status=status,
            time_zone=time_zone,
            status_message=status_message,
            status_reason=status_reason,
        )

        connection.additional_properties = d
        return connection

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
