from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.connection import Connection
    from ..models.limits import Limits
    from ..models.user_erasure import UserErasure
    from ..models.user_pause import UserPause
    from ..models.user_spending_limit_answer import UserSpendingLimitAnswer
    from ..models.user_waiting import UserWaiting


T = TypeVar("T", bound="UserDetails")


@_attrs_define(kw_only=True)
class UserDetails:
    """A user, with what belongs to it.

    Attributes:
        connections (list[Connection]): Its connections; of more than 100 the first ones. `GET
            /v1/connections?external_ref=` has all.
        connections_count (int): How many it has.
        erasure (None | UserErasure): Its erasure, and how far that is. Null for a user that stays.
        external_ref (str): Your own name for a user.
        is_paused (bool): Whether it is paused: nothing is activated or raised for it.
        label (None | str): Your own name for it, for people.
        limits (Limits): What is left of the limit of a key or of a user. Without a limit only `limited`.
        pause (None | UserPause): Its pause, and how far that is. Null for a user that is not paused.
        spending_limit (None | UserSpendingLimitAnswer): The limit of a user. Null for none.
        waiting (UserWaiting): Changes in its ad accounts that wait. They come from an index, so one of a moment ago may
            be missing.
    """

    connections: list[Connection]
    connections_count: int
    erasure: None | UserErasure
    external_ref: str
    is_paused: bool
    label: None | str
    limits: Limits
    pause: None | UserPause
    spending_limit: None | UserSpendingLimitAnswer
    waiting: UserWaiting
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        from ..models.user_erasure import UserErasure
        from ..models.user_pause import UserPause
        from ..models.user_spending_limit_answer import UserSpendingLimitAnswer

        connections = []
        for connections_item_data in self.connections:
            connections_item = connections_item_data.to_dict()
            connections.append(connections_item)

        connections_count = self.connections_count

        erasure: dict[str, Any] | None
        if isinstance(self.erasure, UserErasure):
            erasure = self.erasure.to_dict()
        else:
            erasure = self.erasure

        external_ref = self.external_ref

        is_paused = self.is_paused

        label: None | str
        label = self.label

        limits = self.limits.to_dict()

        pause: dict[str, Any] | None
        if isinstance(self.pause, UserPause):
            pause = self.pause.to_dict()
        else:
            pause = self.pause

        spending_limit: dict[str, Any] | None
        if isinstance(self.spending_limit, UserSpendingLimitAnswer):
            spending_limit = self.spending_limit.to_dict()
        else:
            spending_limit = self.spending_limit

        waiting = self.waiting.to_dict()

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "connections": connections,
                "connections_count": connections_count,
                "erasure": erasure,
                "external_ref": external_ref,
                "is_paused": is_paused,
                "label": label,
                "limits": limits,
                "pause": pause,
                "spending_limit": spending_limit,
                "waiting": waiting,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.connection import Connection
        from ..models.limits import Limits
        from ..models.user_erasure import UserErasure
        from ..models.user_pause import UserPause
        from ..models.user_spending_limit_answer import UserSpendingLimitAnswer
        from ..models.user_waiting import UserWaiting

        d = dict(src_dict)
        connections = []
        _connections = d.pop("connections")
        for connections_item_data in _connections:
            connections_item = Connection.from_dict(connections_item_data)

            connections.append(connections_item)

        connections_count = d.pop("connections_count")

        def _parse_erasure(data: object) -> None | UserErasure:
            if data is None:
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                componentsschemas_nullable_user_erasure_type_0 = UserErasure.from_dict(data)

                return componentsschemas_nullable_user_erasure_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(None | UserErasure, data)

        erasure = _parse_erasure(d.pop("erasure"))

        external_ref = d.pop("external_ref")

        is_paused = d.pop("is_paused")

        def _parse_label(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        label = _parse_label(d.pop("label"))

        limits = Limits.from_dict(d.pop("limits"))

        def _parse_pause(data: object) -> None | UserPause:
            if data is None:
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                componentsschemas_nullable_user_pause_type_0 = UserPause.from_dict(data)

                return componentsschemas_nullable_user_pause_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(None | UserPause, data)

        pause = _parse_pause(d.pop("pause"))

        def _parse_spending_limit(data: object) -> None | UserSpendingLimitAnswer:
            if data is None:
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                componentsschemas_nullable_user_spending_limit_answer_type_0 = UserSpendingLimitAnswer.from_dict(data)

                return componentsschemas_nullable_user_spending_limit_answer_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(None | UserSpendingLimitAnswer, data)

        spending_limit = _parse_spending_limit(d.pop("spending_limit"))

        waiting = UserWaiting.from_dict(d.pop("waiting"))

        user_details = cls(
            connections=connections,
            connections_count=connections_count,
            erasure=erasure,
            external_ref=external_ref,
            is_paused=is_paused,
            label=label,
            limits=limits,
            pause=pause,
            spending_limit=spending_limit,
            waiting=waiting,
        )

        user_details.additional_properties = d
        return user_details

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
