from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, Self, TypeVar, cast
from uuid import UUID

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.platform import Platform
from ..types import UNSET, Unset

T = TypeVar("T", bound="UsageLogEntry")


@_attrs_define(kw_only=True)
class UsageLogEntry:
    """A request and its response.

    Attributes:
        api_key_id (None | str): The id of the key of the request. Null for a request that is older than this field.
        id (str): Entry id.
        method (str): HTTP method.
        path (str): Path, without the query; a name in the path of a user is `{external_ref}`.
        platform (None | Platform): Null if the request is about no platform, or about several.
        platform_time_ms (int | None): Time with at least one platform call in progress. Null without platform calls.
        request_id (UUID): The request's `X-Request-Id`.
        response_time_ms (int): Response time.
        status_code (int): HTTP status.
        timestamp (datetime.datetime): Time of the request.
        tool (None | str): The tool that an agent called; `status_code` is then the status that the API has given the
            tool. Null for any other request.
        connection_id (str | Unset): Connection id. It stays the same when the account is authorized again.
        external_ref (str | Unset): Your own name for one of your users.
        reference (str | Unset): Your own reference for a request, such as the number of an order. It is not unique, and
            two requests with one reference are two requests.
    """

    api_key_id: None | str
    id: str
    method: str
    path: str
    platform: None | Platform
    platform_time_ms: int | None
    request_id: UUID
    response_time_ms: int
    status_code: int
    timestamp: datetime.datetime
    tool: None | str
    connection_id: str | Unset = UNSET
    external_ref: str | Unset = UNSET
    reference: str | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        api_key_id: None | str
        api_key_id = self.api_key_id

        id = self.id

        method = self.method

        path = self.path

        platform: None | str
        if isinstance(self.platform, Platform):
            platform = self.platform.value
        else:
            platform = self.platform

        platform_time_ms: int | None
        platform_time_ms = self.platform_time_ms

        request_id = str(self.request_id)

        response_time_ms = self.response_time_ms

        status_code = self.status_code

        timestamp = self.timestamp.isoformat()

        tool: None | str
        tool = self.tool

        connection_id = self.connection_id

        external_ref = self.external_ref

        reference = self.reference

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "api_key_id": api_key_id,
                "id": id,
                "method": method,
                "path": path,
                "platform": platform,
                "platform_time_ms": platform_time_ms,
                "request_id": request_id,
                "response_time_ms": response_time_ms,
                "status_code": status_code,
                "timestamp": timestamp,
                "tool": tool,
            }
        )
        if connection_id is not UNSET:
            field_dict["connection_id"] = connection_id
        if external_ref is not UNSET:
            field_dict["external_ref"] = external_ref
        if reference is not UNSET:
            field_dict["reference"] = reference

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)

        def _parse_api_key_id(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        api_key_id = _parse_api_key_id(d.pop("api_key_id"))

        id = d.pop("id")

        method = d.pop("method")

        path = d.pop("path")

        def _parse_platform(data: object) -> None | Platform:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                platform_type_0 = Platform(data)

                return platform_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(None | Platform, data)

        platform = _parse_platform(d.pop("platform"))

        def _parse_platform_time_ms(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        platform_time_ms = _parse_platform_time_ms(d.pop("platform_time_ms"))

        request_id = UUID(d.pop("request_id"))

        response_time_ms = d.pop("response_time_ms")

        status_code = d.pop("status_code")

        timestamp = datetime.datetime.fromisoformat(d.pop("timestamp"))

        def _parse_tool(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        tool = _parse_tool(d.pop("tool"))

        connection_id = d.pop("connection_id", UNSET)

        external_ref = d.pop("external_ref", UNSET)

        reference = d.pop("reference", UNSET)

        usage_log_entry = cls(
            api_key_id=api_key_id,
            id=id,
            method=method,
            path=path,
            platform=platform,
            platform_time_ms=platform_time_ms,
            request_id=request_id,
            response_time_ms=response_time_ms,
            status_code=status_code,
            timestamp=timestamp,
            tool=tool,
            connection_id=connection_id,
            external_ref=external_ref,
            reference=reference,
        )

        usage_log_entry.additional_properties = d
        return usage_log_entry

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
