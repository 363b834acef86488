from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.checked_by import CheckedBy
from ..models.dry_run_verdict import DryRunVerdict
from ..models.platform import Platform
from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.chosen_defaults import ChosenDefaults
    from ..models.flat_error import FlatError
    from ..models.platform_request import PlatformRequest


T = TypeVar("T", bound="FlatDryRun")


@_attrs_define(kw_only=True)
class FlatDryRun:
    """A dry run in one ad account, in the flat shape.

    Attributes:
        activates (bool): Whether a campaign that does not run may run after the change, now or at its start: an
            activation, an earlier start, or a later end of one that has ended.
        checked_by (CheckedBy): `platform` if the platform itself checked the request without executing it; `service` if
            this service checked it and read the ad account.
        connection_id (None | str): Null if no active connection was found.
        needs_approval (bool): Whether the change would wait for a person, by the spending limit of the API key.
        organization_id (None | str): The ad account on the platform. Null if no active connection was found.
        platform (Platform): An ad platform in the flat shape, in paths and in connections.
        request (None | PlatformRequest): The request that would be sent. Null if nothing would be sent.
        verdict (DryRunVerdict): The result of a dry run: the write would succeed, would change nothing, or would fail.
            `unknown` only with `targets`, where a platform could not be asked; without `targets` that is an error response.
        campaign_defaults (ChosenDefaults | Unset): What a create sends that the request does not say, and who has set
            it. Absent where there is nothing.
        error (FlatError | Unset): An error in the flat shape.
        more_requests (list[PlatformRequest] | Unset): Requests that would follow, where the platform needs several.
            What the first one creates, such as a campaign group on LinkedIn, has the id 1 in them.
    """

    activates: bool
    checked_by: CheckedBy
    connection_id: None | str
    needs_approval: bool
    organization_id: None | str
    platform: Platform
    request: None | PlatformRequest
    verdict: DryRunVerdict
    campaign_defaults: ChosenDefaults | Unset = UNSET
    error: FlatError | Unset = UNSET
    more_requests: list[PlatformRequest] | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        from ..models.platform_request import PlatformRequest

        activates = self.activates

        checked_by = self.checked_by.value

        connection_id: None | str
        connection_id = self.connection_id

        needs_approval = self.needs_approval

        organization_id: None | str
        organization_id = self.organization_id

        platform = self.platform.value

        request: dict[str, Any] | None
        if isinstance(self.request, PlatformRequest):
            request = self.request.to_dict()
        else:
            request = self.request

        verdict = self.verdict.value

        campaign_defaults: dict[str, Any] | Unset = UNSET
        if not isinstance(self.campaign_defaults, Unset):
            campaign_defaults = self.campaign_defaults.to_dict()

        error: dict[str, Any] | Unset = UNSET
        if not isinstance(self.error, Unset):
            error = self.error.to_dict()

        more_requests: list[dict[str, Any]] | Unset = UNSET
        if not isinstance(self.more_requests, Unset):
            more_requests = []
            for more_requests_item_data in self.more_requests:
                more_requests_item = more_requests_item_data.to_dict()
                more_requests.append(more_requests_item)

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "activates": activates,
                "checked_by": checked_by,
                "connection_id": connection_id,
                "needs_approval": needs_approval,
                "organization_id": organization_id,
                "platform": platform,
                "request": request,
                "verdict": verdict,
            }
        )
        if campaign_defaults is not UNSET:
            field_dict["campaign_defaults"] = campaign_defaults
        if error is not UNSET:
            field_dict["error"] = error
        if more_requests is not UNSET:
            field_dict["more_requests"] = more_requests

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.chosen_defaults import ChosenDefaults
        from ..models.flat_error import FlatError
        from ..models.platform_request import PlatformRequest

        d = dict(src_dict)
        activates = d.pop("activates")

        checked_by = CheckedBy(d.pop("checked_by"))

        def _parse_connection_id(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        connection_id = _parse_connection_id(d.pop("connection_id"))

        needs_approval = d.pop("needs_approval")

        def _parse_organization_id(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        organization_id = _parse_organization_id(d.pop("organization_id"))

        platform = Platform(d.pop("platform"))

        def _parse_request(data: object) -> None | PlatformRequest:
            if data is None:
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                request_type_0 = PlatformRequest.from_dict(data)

                return request_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(None | PlatformRequest, data)

        request = _parse_request(d.pop("request"))

        verdict = DryRunVerdict(d.pop("verdict"))

        _campaign_defaults = d.pop("campaign_defaults", UNSET)
        campaign_defaults: ChosenDefaults | Unset
        if isinstance(_campaign_defaults, Unset):
            campaign_defaults = UNSET
        else:
            campaign_defaults = ChosenDefaults.from_dict(_campaign_defaults)

        _error = d.pop("error", UNSET)
        error: FlatError | Unset
        if isinstance(_error, Unset):
            error = UNSET
        else:
            error = FlatError.from_dict(_error)

        _more_requests = d.pop("more_requests", UNSET)
        more_requests: list[PlatformRequest] | Unset = UNSET
        if _more_requests is not UNSET:
            more_requests = []
            for more_requests_item_data in _more_requests:
                more_requests_item = PlatformRequest.from_dict(more_requests_item_data)

                more_requests.append(more_requests_item)

        flat_dry_run = cls(
            activates=activates,
            checked_by=checked_by,
            connection_id=connection_id,
            needs_approval=needs_approval,
            organization_id=organization_id,
            platform=platform,
            request=request,
            verdict=verdict,
            campaign_defaults=campaign_defaults,
            error=error,
            more_requests=more_requests,
        )

        flat_dry_run.additional_properties = d
        return flat_dry_run

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
