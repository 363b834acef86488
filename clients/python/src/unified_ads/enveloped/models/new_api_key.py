from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from attrs import define as _attrs_define

from ..models.scope import Scope
from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.spending_limit import SpendingLimit


T = TypeVar("T", bound="NewApiKey")


@_attrs_define(kw_only=True)
class NewApiKey:
    """Key to create.

    Attributes:
        name (str): Your name for the key, on one line. Names may repeat.
        scopes (list[Scope]): Requests that a key permits. `read`: every GET except authorize, and the sync of
            connections. `write`: changes of campaigns, connections, redirect URIs, webhook endpoints and keys, and
            authorize. `billing`: checkout and portal. `campaigns`: reads and changes of campaigns, and nothing else; `read`
            and `write` permit them, too. `approve`: review, approval and rejection of changes that wait for a person; a key
            with a spending limit cannot have it.
        expires_at (datetime.datetime | None | Unset): The key is invalid from then on. In the future, in whole
            milliseconds.
        external_ref (None | str | Unset): Binds the key to this user of yours: all its requests act for it. It cannot
            be changed later.
        spending_limit (None | SpendingLimit | Unset): The limit of a key, whose only scope is `campaigns` then. Null
            for none; in a change of a key it takes the limit away, and what counts against it stays.
    """

    name: str
    scopes: list[Scope]
    expires_at: datetime.datetime | None | Unset = UNSET
    external_ref: None | str | Unset = UNSET
    spending_limit: None | SpendingLimit | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        from ..models.spending_limit import SpendingLimit

        name = self.name

        scopes = []
        for componentsschemas_scopes_item_data in self.scopes:
            componentsschemas_scopes_item = componentsschemas_scopes_item_data.value
            scopes.append(componentsschemas_scopes_item)

        expires_at: None | str | Unset
        if isinstance(self.expires_at, Unset):
            expires_at = UNSET
        elif isinstance(self.expires_at, datetime.datetime):
            expires_at = self.expires_at.isoformat()
        else:
            expires_at = self.expires_at

        external_ref: None | str | Unset
        if isinstance(self.external_ref, Unset):
            external_ref = UNSET
        else:
            external_ref = self.external_ref

        spending_limit: dict[str, Any] | None | Unset
        if isinstance(self.spending_limit, Unset):
            spending_limit = UNSET
        elif isinstance(self.spending_limit, SpendingLimit):
            spending_limit = self.spending_limit.to_dict()
        else:
            spending_limit = self.spending_limit

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "name": name,
                "scopes": scopes,
            }
        )
        if expires_at is not UNSET:
            field_dict["expires_at"] = expires_at
        if external_ref is not UNSET:
            field_dict["external_ref"] = external_ref
        if spending_limit is not UNSET:
            field_dict["spending_limit"] = spending_limit

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.spending_limit import SpendingLimit

        d = dict(src_dict)
        name = d.pop("name")

        scopes = []
        _scopes = d.pop("scopes")
        for componentsschemas_scopes_item_data in _scopes:
            componentsschemas_scopes_item = Scope(componentsschemas_scopes_item_data)

            scopes.append(componentsschemas_scopes_item)

        def _parse_expires_at(data: object) -> datetime.datetime | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                expires_at_type_0 = datetime.datetime.fromisoformat(data)

                return expires_at_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.datetime | None | Unset, data)

        expires_at = _parse_expires_at(d.pop("expires_at", UNSET))

        def _parse_external_ref(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        external_ref = _parse_external_ref(d.pop("external_ref", UNSET))

        def _parse_spending_limit(data: object) -> None | SpendingLimit | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                componentsschemas_nullable_spending_limit_type_0 = SpendingLimit.from_dict(data)

                return componentsschemas_nullable_spending_limit_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(None | SpendingLimit | Unset, data)

        spending_limit = _parse_spending_limit(d.pop("spending_limit", UNSET))

        new_api_key = cls(
            name=name,
            scopes=scopes,
            expires_at=expires_at,
            external_ref=external_ref,
            spending_limit=spending_limit,
        )

        return new_api_key
