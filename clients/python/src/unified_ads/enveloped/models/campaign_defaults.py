from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

T = TypeVar("T", bound="CampaignDefaults")


@_attrs_define(kw_only=True)
class CampaignDefaults:
    """What a platform asks of every new campaign and a create does not say. LinkedIn has `country` and `language`, Meta
    `special_ad_categories` and, with a category, `country`. On Google Ads and LinkedIn `special_ad_categories` takes
    only ISSUES_ELECTIONS_POLITICS; other platforms have nothing.

        Attributes:
            country (str | Unset): Country, ISO 3166-1 alpha-2. On LinkedIn where campaigns are shown, on Meta where the ads
                of the categories are.
            language (str | Unset): Language of the people who see the campaigns, ISO 639-1.
            special_ad_categories (list[str] | Unset): Meta's names of the categories, also on other platforms. Empty if
                none applies.
    """

    country: str | Unset = UNSET
    language: str | Unset = UNSET
    special_ad_categories: list[str] | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        country = self.country

        language = self.language

        special_ad_categories: list[str] | Unset = UNSET
        if not isinstance(self.special_ad_categories, Unset):
            special_ad_categories = self.special_ad_categories

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update({})
        if country is not UNSET:
            field_dict["country"] = country
        if language is not UNSET:
            field_dict["language"] = language
        if special_ad_categories is not UNSET:
            field_dict["special_ad_categories"] = special_ad_categories

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        country = d.pop("country", UNSET)

        language = d.pop("language", UNSET)

        special_ad_categories = cast(list[str], d.pop("special_ad_categories", UNSET))

        campaign_defaults = cls(
            country=country,
            language=language,
            special_ad_categories=special_ad_categories,
        )

        campaign_defaults.additional_properties = d
        return campaign_defaults

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
