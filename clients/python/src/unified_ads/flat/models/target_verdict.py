from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.target_status import TargetStatus
from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.enveloped_campaign import EnvelopedCampaign
    from ..models.enveloped_error_body import EnvelopedErrorBody
    from ..models.target_account import TargetAccount


T = TypeVar("T", bound="TargetVerdict")


@_attrs_define(kw_only=True)
class TargetVerdict:
    """Result of one target.

    Attributes:
        status (TargetStatus): Result of one target. `unknown`: reconciliation is in progress; see `GET
            /campaigns/intents/{request_id}`.
        target (TargetAccount): An ad account.
        campaign (EnvelopedCampaign | Unset): A campaign in the enveloped shape.
        error (EnvelopedErrorBody | Unset): The `error` member of an error in the enveloped shape.
        reference (str | Unset): Your own reference for a request, such as the number of an order. It is not unique, and
            two requests with one reference are two requests.
    """

    status: TargetStatus
    target: TargetAccount
    campaign: EnvelopedCampaign | Unset = UNSET
    error: EnvelopedErrorBody | Unset = UNSET
    reference: str | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        status = self.status.value

        target = self.target.to_dict()

        campaign: dict[str, Any] | Unset = UNSET
        if not isinstance(self.campaign, Unset):
            campaign = self.campaign.to_dict()

        error: dict[str, Any] | Unset = UNSET
        if not isinstance(self.error, Unset):
            error = self.error.to_dict()

        reference = self.reference

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "status": status,
                "target": target,
            }
        )
        if campaign is not UNSET:
            field_dict["campaign"] = campaign
        if error is not UNSET:
            field_dict["error"] = error
        if reference is not UNSET:
            field_dict["reference"] = reference

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.enveloped_campaign import EnvelopedCampaign
        from ..models.enveloped_error_body import EnvelopedErrorBody
        from ..models.target_account import TargetAccount

        d = dict(src_dict)
        status = TargetStatus(d.pop("status"))

        target = TargetAccount.from_dict(d.pop("target"))

        _campaign = d.pop("campaign", UNSET)
        campaign: EnvelopedCampaign | Unset
        if isinstance(_campaign, Unset):
            campaign = UNSET
        else:
            campaign = EnvelopedCampaign.from_dict(_campaign)

        _error = d.pop("error", UNSET)
        error: EnvelopedErrorBody | Unset
        if isinstance(_error, Unset):
            error = UNSET
        else:
            error = EnvelopedErrorBody.from_dict(_error)

        reference = d.pop("reference", UNSET)

        target_verdict = cls(
            status=status,
            target=target,
            campaign=campaign,
            error=error,
            reference=reference,
        )

        target_verdict.additional_properties = d
        return target_verdict

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
