from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from attrs import define as _attrs_define

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.new_campaign_defaults import NewCampaignDefaults


T = TypeVar("T", bound="ConnectionLabel")


@_attrs_define(kw_only=True)
class ConnectionLabel:
    """Label and user of a connection, and what its new campaigns have. Absent fields do not change.

    Attributes:
        campaign_defaults (NewCampaignDefaults | None | Unset): What new campaigns have. Null removes it. Not of a
            `PENDING` connection.
        external_ref (None | str | Unset): Your user. Null removes it. Not of a `PENDING` connection.
        label (None | str | Unset): 1 to 255 characters, not blank, no control characters. Null removes the label.
    """

    campaign_defaults: NewCampaignDefaults | None | Unset = UNSET
    external_ref: None | str | Unset = UNSET
    label: None | str | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        from ..models.new_campaign_defaults import NewCampaignDefaults

        campaign_defaults: dict[str, Any] | None | Unset
        if isinstance(self.campaign_defaults, Unset):
            campaign_defaults = UNSET
        elif isinstance(self.campaign_defaults, NewCampaignDefaults):
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

        field_dict: dict[str, Any] = {}

        field_dict.update({})
        if campaign_defaults is not UNSET:
            field_dict["campaign_defaults"] = campaign_defaults
        if external_ref is not UNSET:
            field_dict["external_ref"] = external_ref
        if label is not UNSET:
            field_dict["label"] = label

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.new_campaign_defaults import NewCampaignDefaults

        d = dict(src_dict)

        def _parse_campaign_defaults(data: object) -> NewCampaignDefaults | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                campaign_defaults_type_0 = NewCampaignDefaults.from_dict(data)

                return campaign_defaults_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(NewCampaignDefaults | None | Unset, data)

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

        connection_label = cls(
            campaign_defaults=campaign_defaults,
            external_ref=external_ref,
            label=label,
        )

        return connection_label
