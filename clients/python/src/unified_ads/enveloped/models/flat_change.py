from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast
from uuid import UUID

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.change_executor import ChangeExecutor
from ..models.change_field import ChangeField
from ..models.change_kind import ChangeKind
from ..models.change_state import ChangeState
from ..models.platform import Platform
from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.change_approver import ChangeApprover
    from ..models.change_error import ChangeError
    from ..models.change_requester import ChangeRequester
    from ..models.flat_change_requested import FlatChangeRequested
    from ..models.flat_change_values import FlatChangeValues


T = TypeVar("T", bound="FlatChange")


@_attrs_define(kw_only=True)
class FlatChange:
    """Something that was done to a campaign, in the flat shape.

    Attributes:
        after (FlatChangeValues | None): The campaign after the change, as the platform told it. Null if nothing was
            changed, and if it was not read.
        applied_fields (list[ChangeField]): The requested fields that the campaign has now.
        apply_at (datetime.datetime | None): Time for which it was scheduled. Null for one that was sent at once.
        approval_url (None | str): The page on which a person approves or rejects it. Null unless it waits for that.
        approved_by (ChangeApprover | None): Who has approved it. Null for a change that needed no approval, or has none
            yet.
        before (FlatChangeValues | None): The campaign before the change, as the platform told it; of one that waits for
            a person, as it was when they were asked. Null for a create, and if it was not read.
        campaign_id (None | str): Null until a create has its campaign.
        connection_id (str): Connection id. It stays the same when the account is authorized again.
        created_at (datetime.datetime): Time of the request.
        error (ChangeError | None): Why all or a part of the change was not applied. Null otherwise.
        executed_by (ChangeExecutor | None): Who sent the change to the platform. Null while it waits.
        id (str): Change id. Ids sort by time.
        kind (ChangeKind): What a change does. An update to a removed status is an `update`.
        not_applied_fields (list[ChangeField]): The requested fields that it does not have.
        organization_id (str): The ad account.
        platform (Platform): An ad platform in the flat shape, in paths and in connections.
        request_id (UUID): `X-Request-Id` of the request. A retry with the same `Idempotency-Key` has another.
        requested (FlatChangeRequested): The requested fields, in the flat shape. Empty for a removal.
        requested_by (ChangeRequester): Who asked for a change.
        sent_at (datetime.datetime | None): Start of the latest attempt. Null before the first one.
        settled_at (datetime.datetime | None): Time at which the outcome was known. Null until then.
        state (ChangeState): `scheduled`: it waits for its time. `awaiting_approval`: it waits for a person, as the
            spending limit of the key asks for. `canceled`: it was taken back before anything was sent. `rejected`: a person
            has rejected it. `expired`: nobody approved it within seven days, or before its time. `sending`: on its way to
            the platform. `unknown`: it may or may not have been applied; the platform is read until it is known. `applied`:
            the campaign has all of it. `partly_applied`: the campaign has a part of it. `failed`: the campaign has none of
            it.
        unknown_fields (list[ChangeField]): The requested fields of which it is not known, or not yet.
        external_ref (str | Unset): Your own name for one of your users.
        reference (str | Unset): Your own reference for a request, such as the number of an order. It is not unique, and
            two requests with one reference are two requests.
    """

    after: FlatChangeValues | None
    applied_fields: list[ChangeField]
    apply_at: datetime.datetime | None
    approval_url: None | str
    approved_by: ChangeApprover | None
    before: FlatChangeValues | None
    campaign_id: None | str
    connection_id: str
    created_at: datetime.datetime
    error: ChangeError | None
    executed_by: ChangeExecutor | None
    id: str
    kind: ChangeKind
    not_applied_fields: list[ChangeField]
    organization_id: str
    platform: Platform
    request_id: UUID
    requested: FlatChangeRequested
    requested_by: ChangeRequester
    sent_at: datetime.datetime | None
    settled_at: datetime.datetime | None
    state: ChangeState
    unknown_fields: list[ChangeField]
    external_ref: str | Unset = UNSET
    reference: str | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        from ..models.change_approver import ChangeApprover
        from ..models.change_error import ChangeError
        from ..models.flat_change_values import FlatChangeValues

        after: dict[str, Any] | None
        if isinstance(self.after, FlatChangeValues):
            after = self.after.to_dict()
        else:
            after = self.after

        applied_fields = []
        for applied_fields_item_data in self.applied_fields:
            applied_fields_item = applied_fields_item_data.value
            applied_fields.append(applied_fields_item)

        apply_at: None | str
        if isinstance(self.apply_at, datetime.datetime):
            apply_at = self.apply_at.isoformat()
        else:
            apply_at = self.apply_at

        approval_url: None | str
        approval_url = self.approval_url

        approved_by: dict[str, Any] | None
        if isinstance(self.approved_by, ChangeApprover):
            approved_by = self.approved_by.to_dict()
        else:
            approved_by = self.approved_by

        before: dict[str, Any] | None
        if isinstance(self.before, FlatChangeValues):
            before = self.before.to_dict()
        else:
            before = self.before

        campaign_id: None | str
        campaign_id = self.campaign_id

        connection_id = self.connection_id

        created_at = self.created_at.isoformat()

        error: dict[str, Any] | None
        if isinstance(self.error, ChangeError):
            error = self.error.to_dict()
        else:
            error = self.error

        executed_by: None | str
        if isinstance(self.executed_by, ChangeExecutor):
            executed_by = self.executed_by.value
        else:
            executed_by = self.executed_by

        id = self.id

        kind = self.kind.value

        not_applied_fields = []
        for not_applied_fields_item_data in self.not_applied_fields:
            not_applied_fields_item = not_applied_fields_item_data.value
            not_applied_fields.append(not_applied_fields_item)

        organization_id = self.organization_id

        platform = self.platform.value

        request_id = str(self.request_id)

        requested = self.requested.to_dict()

        requested_by = self.requested_by.to_dict()

        sent_at: None | str
        if isinstance(self.sent_at, datetime.datetime):
            sent_at = self.sent_at.isoformat()
        else:
            sent_at = self.sent_at

        settled_at: None | str
        if isinstance(self.settled_at, datetime.datetime):
            settled_at = self.settled_at.isoformat()
        else:
            settled_at = self.settled_at

        state = self.state.value

        unknown_fields = []
        for unknown_fields_item_data in self.unknown_fields:
            unknown_fields_item = unknown_fields_item_data.value
            unknown_fields.append(unknown_fields_item)

        external_ref = self.external_ref

        reference = self.reference

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "after": after,
                "applied_fields": applied_fields,
                "apply_at": apply_at,
                "approval_url": approval_url,
                "approved_by": approved_by,
                "before": before,
                "campaign_id": campaign_id,
                "connection_id": connection_id,
                "created_at": created_at,
                "error": error,
                "executed_by": executed_by,
                "id": id,
                "kind": kind,
                "not_applied_fields": not_applied_fields,
                "organization_id": organization_id,
                "platform": platform,
                "request_id": request_id,
                "requested": requested,
                "requested_by": requested_by,
                "sent_at": sent_at,
                "settled_at": settled_at,
                "state": state,
                "unknown_fields": unknown_fields,
            }
        )
        if external_ref is not UNSET:
            field_dict["external_ref"] = external_ref
        if reference is not UNSET:
            field_dict["reference"] = reference

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.change_approver import ChangeApprover
        from ..models.change_error import ChangeError
        from ..models.change_requester import ChangeRequester
        from ..models.flat_change_requested import FlatChangeRequested
        from ..models.flat_change_values import FlatChangeValues

        d = dict(src_dict)

        def _parse_after(data: object) -> FlatChangeValues | None:
            if data is None:
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                after_type_0 = FlatChangeValues.from_dict(data)

                return after_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(FlatChangeValues | None, data)

        after = _parse_after(d.pop("after"))

        applied_fields = []
        _applied_fields = d.pop("applied_fields")
        for applied_fields_item_data in _applied_fields:
            applied_fields_item = ChangeField(applied_fields_item_data)

            applied_fields.append(applied_fields_item)

        def _parse_apply_at(data: object) -> datetime.datetime | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                apply_at_type_0 = datetime.datetime.fromisoformat(data)

                return apply_at_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.datetime | None, data)

        apply_at = _parse_apply_at(d.pop("apply_at"))

        def _parse_approval_url(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        approval_url = _parse_approval_url(d.pop("approval_url"))

        def _parse_approved_by(data: object) -> ChangeApprover | None:
            if data is None:
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                approved_by_type_0 = ChangeApprover.from_dict(data)

                return approved_by_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(ChangeApprover | None, data)

        approved_by = _parse_approved_by(d.pop("approved_by"))

        def _parse_before(data: object) -> FlatChangeValues | None:
            if data is None:
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                before_type_0 = FlatChangeValues.from_dict(data)

                return before_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(FlatChangeValues | None, data)

        before = _parse_before(d.pop("before"))

        def _parse_campaign_id(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        campaign_id = _parse_campaign_id(d.pop("campaign_id"))

        connection_id = d.pop("connection_id")

        created_at = datetime.datetime.fromisoformat(d.pop("created_at"))

        def _parse_error(data: object) -> ChangeError | None:
            if data is None:
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                error_type_0 = ChangeError.from_dict(data)

                return error_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(ChangeError | None, data)

        error = _parse_error(d.pop("error"))

        def _parse_executed_by(data: object) -> ChangeExecutor | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                executed_by_type_0 = ChangeExecutor(data)

                return executed_by_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(ChangeExecutor | None, data)

        executed_by = _parse_executed_by(d.pop("executed_by"))

        id = d.pop("id")

        kind = ChangeKind(d.pop("kind"))

        not_applied_fields = []
        _not_applied_fields = d.pop("not_applied_fields")
        for not_applied_fields_item_data in _not_applied_fields:
            not_applied_fields_item = ChangeField(not_applied_fields_item_data)

            not_applied_fields.append(not_applied_fields_item)

        organization_id = d.pop("organization_id")

        platform = Platform(d.pop("platform"))

        request_id = UUID(d.pop("request_id"))

        requested = FlatChangeRequested.from_dict(d.pop("requested"))

        requested_by = ChangeRequester.from_dict(d.pop("requested_by"))

        def _parse_sent_at(data: object) -> datetime.datetime | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                sent_at_type_0 = datetime.datetime.fromisoformat(data)

                return sent_at_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.datetime | None, data)

        sent_at = _parse_sent_at(d.pop("sent_at"))

        def _parse_settled_at(data: object) -> datetime.datetime | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                settled_at_type_0 = datetime.datetime.fromisoformat(data)

                return settled_at_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.datetime | None, data)

        settled_at = _parse_settled_at(d.pop("settled_at"))

        state = ChangeState(d.pop("state"))

        unknown_fields = []
        _unknown_fields = d.pop("unknown_fields")
        for unknown_fields_item_data in _unknown_fields:
            unknown_fields_item = ChangeField(unknown_fields_item_data)

            unknown_fields.append(unknown_fields_item)

        external_ref = d.pop("external_ref", UNSET)

        reference = d.pop("reference", UNSET)

        flat_change = cls(
            after=after,
            applied_fields=applied_fields,
            apply_at=apply_at,
            approval_url=approval_url,
            approved_by=approved_by,
            before=before,
            campaign_id=campaign_id,
            connection_id=connection_id,
            created_at=created_at,
            error=error,
            executed_by=executed_by,
            id=id,
            kind=kind,
            not_applied_fields=not_applied_fields,
            organization_id=organization_id,
            platform=platform,
            request_id=request_id,
            requested=requested,
            requested_by=requested_by,
            sent_at=sent_at,
            settled_at=settled_at,
            state=state,
            unknown_fields=unknown_fields,
            external_ref=external_ref,
            reference=reference,
        )

        flat_change.additional_properties = d
        return flat_change

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
