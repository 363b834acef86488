from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar, cast

from attrs import define as _attrs_define

from ..types import UNSET, Unset

T = TypeVar("T", bound="NewCampaignDefaults")


@_attrs_define(kw_only=True)
class NewCampaignDefaults:
    """What new campaigns of a connection have from now on; it replaces all that was set. LinkedIn needs `country` and
    `language` and takes `special_ad_categories`, Meta needs `special_ad_categories` and, with a category, `country`,
    Google Ads needs `special_ad_categories`. A field that the platform does not have is refused.

        Attributes:
            country (None | str | Unset): Country, ISO 3166-1 alpha-2. On LinkedIn where campaigns are shown, on Meta where
                the ads of the categories are.
            language (None | str | Unset): Language of the people who see the campaigns, ISO 639-1: one that LinkedIn has.
            special_ad_categories (list[str] | None | Unset): Any of EMPLOYMENT, FINANCIAL_PRODUCTS_SERVICES, HOUSING,
                ISSUES_ELECTIONS_POLITICS and ONLINE_GAMBLING_AND_GAMING, each once; on Google Ads and LinkedIn only
                ISSUES_ELECTIONS_POLITICS. Empty if none applies.
    """

    country: None | str | Unset = UNSET
    language: None | str | Unset = UNSET
    special_ad_categories: list[str] | None | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        country: None | str | Unset
        if isinstance(self.country, Unset):
            country = UNSET
        else:
            country = self.country

        language: None | str | Unset
        if isinstance(self.language, Unset):
            language = UNSET
        else:
            language = self.language

        special_ad_categories: list[str] | None | Unset
        if isinstance(self.special_ad_categories, Unset):
            special_ad_categories = UNSET
        elif isinstance(self.special_ad_categories, list):
            special_ad_categories = self.special_ad_categories

        else:
            special_ad_categories = self.special_ad_categories

        field_dict: dict[str, Any] = {}

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

        def _parse_country(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        country = _parse_country(d.pop("country", UNSET))

        def _parse_language(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        language = _parse_language(d.pop("language", UNSET))

        def _parse_special_ad_categories(data: object) -> list[str] | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, list):
                    raise TypeError()
                special_ad_categories_type_0 = cast(list[str], data)

                return special_ad_categories_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(list[str] | None | Unset, data)

        special_ad_categories = _parse_special_ad_categories(d.pop("special_ad_categories", UNSET))

        new_campaign_defaults = cls(
            country=country,
            language=language,
            special_ad_categories=special_ad_categories,
        )

        return new_campaign_defaults
