from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from attrs import define as _attrs_define

from ..models.scope import Scope
from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.spending_limit import SpendingLimit


T = TypeVar("T", bound="ApiKeyChanges")


@_attrs_define(kw_only=True)
class ApiKeyChanges:
    """What to change of a key.

    Attributes:
        name (str | Unset): Your name for the key, on one line. Names may repeat.
        scopes (list[Scope] | Unset): Requests that a key permits. `read`: every GET except authorize, and the sync of
            connections. `write`: changes of campaigns, connections, redirect URIs, webhook endpoints and keys, and
            authorize. `billing`: checkout and portal. `campaigns`: reads and changes of campaigns, and nothing else; `read`
            and `write` permit them, too. `approve`: review, approval and rejection of changes that wait for a person; a key
            with a spending limit cannot have it.
        spending_limit (None | SpendingLimit | Unset): The limit of a key, whose only scope is `campaigns` then. Null
            for none; in a change of a key it takes the limit away, and what counts against it stays.
    """

    name: str | Unset = UNSET
    scopes: list[Scope] | Unset = UNSET
    spending_limit: None | SpendingLimit | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        from ..models.spending_limit import SpendingLimit

        name = self.name

        scopes: list[str] | Unset = UNSET
        if not isinstance(self.scopes, Unset):
            scopes = []
            for componentsschemas_scopes_item_data in self.scopes:
                componentsschemas_scopes_item = componentsschemas_scopes_item_data.value
                scopes.append(componentsschemas_scopes_item)

        spending_limit: dict[str, Any] | None | Unset
        if isinstance(self.spending_limit, Unset):
            spending_limit = UNSET
        elif isinstance(self.spending_limit, SpendingLimit):
            spending_limit = self.spending_limit.to_dict()
        else:
            spending_limit = self.spending_limit

        field_dict: dict[str, Any] = {}

        field_dict.update({})
        if name is not UNSET:
            field_dict["name"] = name
        if scopes is not UNSET:
            field_dict["scopes"] = scopes
        if spending_limit is not UNSET:
            field_dict["spending_limit"] = spending_limit

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.spending_limit import SpendingLimit

        d = dict(src_dict)
        name = d.pop("name", UNSET)

        _scopes = d.pop("scopes", UNSET)
        scopes: list[Scope] | Unset = UNSET
        if _scopes is not UNSET:
            scopes = []
            for componentsschemas_scopes_item_data in _scopes:
                componentsschemas_scopes_item = Scope(componentsschemas_scopes_item_data)

                scopes.append(componentsschemas_scopes_item)

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

        api_key_changes = cls(
            name=name,
            scopes=scopes,
            spending_limit=spending_limit,
        )

        return api_key_changes
