from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.intent_state import IntentState
from ..models.platform import Platform
from ..types import UNSET, Unset

T = TypeVar("T", bound="FlatIntent")


@_attrs_define(kw_only=True)
class FlatIntent:
    """Outcome of one target, in the flat shape.

    Attributes:
        organization_id (str): The ad account.
        platform (Platform): An ad platform in the flat shape, in paths and in connections.
        state (IntentState): `unknown`: reconciliation is in progress, and takes about a minute.
        campaign_id (str | Unset): `{platform}_{account}_{remote id}`. Campaigns that were created outside of this API
            have one too.
        external_ref (str | Unset): Your own name for one of your users.
        reference (str | Unset): Your own reference for a request, such as the number of an order. It is not unique, and
            two requests with one reference are two requests.
    """

    organization_id: str
    platform: Platform
    state: IntentState
    campaign_id: str | Unset = UNSET
    external_ref: str | Unset = UNSET
    reference: str | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        organization_id = self.organization_id

        platform = self.platform.value

        state = self.state.value

        campaign_id = self.campaign_id

        external_ref = self.external_ref

        reference = self.reference

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "organization_id": organization_id,
                "platform": platform,
                "state": state,
            }
        )
        if campaign_id is not UNSET:
            field_dict["campaign_id"] = campaign_id
        if external_ref is not UNSET:
            field_dict["external_ref"] = external_ref
        if reference is not UNSET:
            field_dict["reference"] = reference

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        organization_id = d.pop("organization_id")

        platform = Platform(d.pop("platform"))

        state = IntentState(d.pop("state"))

        campaign_id = d.pop("campaign_id", UNSET)

        external_ref = d.pop("external_ref", UNSET)

        reference = d.pop("reference", UNSET)

        flat_intent = cls(
            organization_id=organization_id,
            platform=platform,
            state=state,
            campaign_id=campaign_id,
            external_ref=external_ref,
            reference=reference,
        )

        flat_intent.additional_properties = d
        return flat_intent

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
