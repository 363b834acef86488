from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.enveloped_platform import EnvelopedPlatform

if TYPE_CHECKING:
    from ..models.bulk_change import BulkChange
    from ..models.change_error import ChangeError
    from ..models.refused_campaign import RefusedCampaign


T = TypeVar("T", bound="EnvelopedBulkAccount")


@_attrs_define(kw_only=True)
class EnvelopedBulkAccount:
    """One ad account of a bulk change, in the enveloped shape.

    Attributes:
        changes (list[BulkChange]):
        connection_id (str): Connection id. It stays the same when the account is authorized again.
        failing (ChangeError | None): Why its campaigns could not be read.
        listed (bool): Its campaigns were read.
        organization_id (str): The ad account.
        platform (EnvelopedPlatform): An ad platform in the enveloped shape.
        refused (list[RefusedCampaign]): Campaigns without a change, and why they have none. The first 500.
    """

    changes: list[BulkChange]
    connection_id: str
    failing: ChangeError | None
    listed: bool
    organization_id: str
    platform: EnvelopedPlatform
    refused: list[RefusedCampaign]
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        from ..models.change_error import ChangeError

        changes = []
        for changes_item_data in self.changes:
            changes_item = changes_item_data.to_dict()
            changes.append(changes_item)

        connection_id = self.connection_id

        failing: dict[str, Any] | None
        if isinstance(self.failing, ChangeError):
            failing = self.failing.to_dict()
        else:
            failing = self.failing

        listed = self.listed

        organization_id = self.organization_id

        platform = self.platform.value

        refused = []
        for refused_item_data in self.refused:
            refused_item = refused_item_data.to_dict()
            refused.append(refused_item)

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "changes": changes,
                "connection_id": connection_id,
                "failing": failing,
                "listed": listed,
                "organization_id": organization_id,
                "platform": platform,
                "refused": refused,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.bulk_change import BulkChange
        from ..models.change_error import ChangeError
        from ..models.refused_campaign import RefusedCampaign

        d = dict(src_dict)
        changes = []
        _changes = d.pop("changes")
        for changes_item_data in _changes:
            changes_item = BulkChange.from_dict(changes_item_data)

            changes.append(changes_item)

        connection_id = d.pop("connection_id")

        def _parse_failing(data: object) -> ChangeError | None:
            if data is None:
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                failing_type_0 = ChangeError.from_dict(data)

                return failing_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(ChangeError | None, data)

        failing = _parse_failing(d.pop("failing"))

        listed = d.pop("listed")

        organization_id = d.pop("organization_id")

        platform = EnvelopedPlatform(d.pop("platform"))

        refused = []
        _refused = d.pop("refused")
        for refused_item_data in _refused:
            refused_item = RefusedCampaign.from_dict(refused_item_data)

            refused.append(refused_item)

        enveloped_bulk_account = cls(
            changes=changes,
            connection_id=connection_id,
            failing=failing,
            listed=listed,
            organization_id=organization_id,
            platform=platform,
            refused=refused,
        )

        enveloped_bulk_account.additional_properties = d
        return enveloped_bulk_account

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
