from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.scope import Scope
from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.spending_limit_answer import SpendingLimitAnswer


T = TypeVar("T", bound="ApiKey")


@_attrs_define(kw_only=True)
class ApiKey:
    """A key, without its secret.

    Attributes:
        created_at (datetime.datetime): Creation, or the last rotation.
        current (bool): Whether it is the key of the request.
        expires_at (datetime.datetime | None): The key is invalid from then on. Null for a key without an end.
        external_ref (None | str): The user of yours for whom all requests of the key act. Null for a key that is bound
            to none.
        id (str): API key id.
        last_four (None | str): The last four characters of the key, to tell keys apart. Null for a key that is older
            than this field.
        last_used_at (datetime.datetime | None): A request with the key, about a minute before the last one at most.
            Null without any.
        name (str): Your name for the key.
        prefix (str): Prefix of the key that is safe to display. All keys of a customer have the same.
        scopes (list[Scope]): Requests that a key permits. `read`: every GET except authorize, and the sync of
            connections. `write`: changes of campaigns, connections, redirect URIs, webhook endpoints and keys, and
            authorize. `billing`: checkout and portal. `campaigns`: reads and changes of campaigns, and nothing else; `read`
            and `write` permit them, too. `approve`: review, approval and rejection of changes that wait for a person; a key
            with a spending limit cannot have it.
        spending_limit (None | SpendingLimitAnswer): The limit of a key, whose only scope is `campaigns` then. Null for
            none; in a change of a key it takes the limit away, and what counts against it stays.
        stopped_at (datetime.datetime | None): The key was stopped then, and is refused until a person resumes it. Null
            for a key that is not stopped.
        assistant (bool | Unset): True for the key of an assistant that a person has connected by signing in. It has no
            secret: nobody can send it, rotate it or take away its limit.
    """

    created_at: datetime.datetime
    current: bool
    expires_at: datetime.datetime | None
    external_ref: None | str
    id: str
    last_four: None | str
    last_used_at: datetime.datetime | None
    name: str
    prefix: str
    scopes: list[Scope]
    spending_limit: None | SpendingLimitAnswer
    stopped_at: datetime.datetime | None
    assistant: bool | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        from ..models.spending_limit_answer import SpendingLimitAnswer

        created_at = self.created_at.isoformat()

        current = self.current

        expires_at: None | str
        if isinstance(self.expires_at, datetime.datetime):
            expires_at = self.expires_at.isoformat()
        else:
            expires_at = self.expires_at

        external_ref: None | str
        external_ref = self.external_ref

        id = self.id

        last_four: None | str
        last_four = self.last_four

        last_used_at: None | str
        if isinstance(self.last_used_at, datetime.datetime):
            last_used_at = self.last_used_at.isoformat()
        else:
            last_used_at = self.last_used_at

        name = self.name

        prefix = self.prefix

        scopes = []
        for componentsschemas_scopes_item_data in self.scopes:
            componentsschemas_scopes_item = componentsschemas_scopes_item_data.value
            scopes.append(componentsschemas_scopes_item)

        spending_limit: dict[str, Any] | None
        if isinstance(self.spending_limit, SpendingLimitAnswer):
            spending_limit = self.spending_limit.to_dict()
        else:
            spending_limit = self.spending_limit

        stopped_at: None | str
        if isinstance(self.stopped_at, datetime.datetime):
            stopped_at = self.stopped_at.isoformat()
        else:
            stopped_at = self.stopped_at

        assistant = self.assistant

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "created_at": created_at,
                "current": current,
                "expires_at": expires_at,
                "external_ref": external_ref,
                "id": id,
                "last_four": last_four,
                "last_used_at": last_used_at,
                "name": name,
                "prefix": prefix,
                "scopes": scopes,
                "spending_limit": spending_limit,
                "stopped_at": stopped_at,
            }
        )
        if assistant is not UNSET:
            field_dict["assistant"] = assistant

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.spending_limit_answer import SpendingLimitAnswer

        d = dict(src_dict)
        created_at = datetime.datetime.fromisoformat(d.pop("created_at"))

        current = d.pop("current")

        def _parse_expires_at(data: object) -> datetime.datetime | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                expires_at_type_0 = datetime.datetime.fromisoformat(data)

                return expires_at_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.datetime | None, data)

        expires_at = _parse_expires_at(d.pop("expires_at"))

        def _parse_external_ref(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        external_ref = _parse_external_ref(d.pop("external_ref"))

        id = d.pop("id")

        def _parse_last_four(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        last_four = _parse_last_four(d.pop("last_four"))

        def _parse_last_used_at(data: object) -> datetime.datetime | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                last_used_at_type_0 = datetime.datetime.fromisoformat(data)

                return last_used_at_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.datetime | None, data)

        last_used_at = _parse_last_used_at(d.pop("last_used_at"))

        name = d.pop("name")

        prefix = d.pop("prefix")

        scopes = []
        _scopes = d.pop("scopes")
        for componentsschemas_scopes_item_data in _scopes:
            componentsschemas_scopes_item = Scope(componentsschemas_scopes_item_data)

            scopes.append(componentsschemas_scopes_item)

        def _parse_spending_limit(data: object) -> None | SpendingLimitAnswer:
            if data is None:
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                componentsschemas_nullable_spending_limit_answer_type_0 = SpendingLimitAnswer.from_dict(data)

                return componentsschemas_nullable_spending_limit_answer_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(None | SpendingLimitAnswer, data)

        spending_limit = _parse_spending_limit(d.pop("spending_limit"))

        def _parse_stopped_at(data: object) -> datetime.datetime | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                stopped_at_type_0 = datetime.datetime.fromisoformat(data)

                return stopped_at_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.datetime | None, data)

        stopped_at = _parse_stopped_at(d.pop("stopped_at"))

        assistant = d.pop("assistant", UNSET)

        api_key = cls(
            created_at=created_at,
            current=current,
            expires_at=expires_at,
            external_ref=external_ref,
            id=id,
            last_four=last_four,
            last_used_at=last_used_at,
            name=name,
            prefix=prefix,
            scopes=scopes,
            spending_limit=spending_limit,
            stopped_at=stopped_at,
            assistant=assistant,
        )

        api_key.additional_properties = d
        return api_key

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
