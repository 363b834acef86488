from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.connection_status import ConnectionStatus
from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.campaign_defaults import CampaignDefaults


T = TypeVar("T", bound="PreviousConnection")


@_attrs_define(kw_only=True)
class PreviousConnection:
    """A connection before the event: what of it was another.

    Attributes:
        campaign_defaults (CampaignDefaults | None | Unset): What new campaigns had.
        external_ref (None | str | Unset): Your user.
        label (None | str | Unset): Label.
        status (ConnectionStatus | Unset): `ACTIVE`: calls succeed. `PENDING`: the user has not completed the consent
            page. `REVOKED`: the consent has ended; authorize again. `ERROR`: the platform rejects calls for another reason,
            see `status_reason`.
        status_reason (None | str | Unset): Reason.
    """

    campaign_defaults: CampaignDefaults | None | Unset = UNSET
    external_ref: None | str | Unset = UNSET
    label: None | str | Unset = UNSET
    status: ConnectionStatus | Unset = UNSET
    status_reason: None | str | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        from ..models.campaign_defaults import CampaignDefaults

        campaign_defaults: dict[str, Any] | None | Unset
        if isinstance(self.campaign_defaults, Unset):
            campaign_defaults = UNSET
        elif isinstance(self.campaign_defaults, CampaignDefaults):
            campaign_defaults = self.campaign_defaults.to_dict()
        else:
            campaign_defaults = self.campaign_defaults

        external_ref: None | str | Unset
        if isinstance(self.external_ref, Unset):
            external_ref = UNSET
        else:
            external_ref = self.external_ref

        label: None | str | Unset
        if isinstance(self.label, Unset):
            label = UNSET
        else:
            label = self.label

        status: str | Unset = UNSET
        if not isinstance(self.status, Unset):
            status = self.status.value

        status_reason: None | str | Unset
        if isinstance(self.status_reason, Unset):
            status_reason = UNSET
        else:
            status_reason = self.status_reason

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update({})
        if campaign_defaults is not UNSET:
            field_dict["campaign_defaults"] = campaign_defaults
        if external_ref is not UNSET:
            field_dict["external_ref"] = external_ref
        if label is not UNSET:
            field_dict["label"] = label
        if status is not UNSET:
            field_dict["status"] = status
        if status_reason is not UNSET:
            field_dict["status_reason"] = status_reason

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.campaign_defaults import CampaignDefaults

        d = dict(src_dict)

        def _parse_campaign_defaults(data: object) -> CampaignDefaults | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                campaign_defaults_type_0 = CampaignDefaults.from_dict(data)

                return campaign_defaults_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(CampaignDefaults | None | Unset, data)

        campaign_defaults = _parse_campaign_defaults(d.pop("campaign_defaults", UNSET))

        def _parse_external_ref(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        external_ref = _parse_external_ref(d.pop("external_ref", UNSET))

        def _parse_label(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        label = _parse_label(d.pop("label", UNSET))

        _status = d.pop("status", UNSET)
        status: ConnectionStatus | Unset
        if isinstance(_status, Unset):
            status = UNSET
        else:
            status = ConnectionStatus(_status)

        def _parse_status_reason(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        status_reason = _parse_status_reason(d.pop("status_reason", UNSET))

        previous_connection = cls(
            campaign_defaults=campaign_defaults,
            external_ref=external_ref,
            label=label,
            status=status,
            status_reason=status_reason,
        )

        previous_connection.additional_properties = d
        return previous_connection

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
