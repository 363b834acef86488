//! The names that nearly every file of an adapter uses.

pub(super) use super::defaults;
pub(super) use super::engine::ads::{AdsReport, AdsRequest};
pub(super) use super::engine::call::{Access, AccountSession, Api, CallContext, Client, get, json};
pub(super) use super::engine::create::{Create, CreateFailure, CreateInput, PreparedCreate};
pub(super) use super::engine::find::{Evidence, Find};
pub(super) use super::engine::insights::{InsightsPage, InsightsRequest, ReportZone};
pub(super) use super::engine::list::{CampaignPage, ListRequest};
pub(super) use super::engine::page::{Page, Pages};
pub(super) use super::errors::{self, bounded, unreadable};
pub(super) use super::field_errors::FieldErrors;
pub(super) use super::response_body::{self, read_object};
pub(super) use super::rows::readable;
pub(super) use crate::domain::{
    AdAccount, AdsUnread, BudgetPeriod, CampaignChanges, CampaignDefaults, CampaignDraft, CampaignId, CampaignStatus,
    Currency, DateChange, Days, Goal, Granularity, Holder, InsightsRow, Marker, Micros, Platform, PlatformCampaign,
    Signals, StatusSet,
};
pub(super) use crate::error::{Error, FieldError, Kind, PlatformError};
pub(super) use crate::outbound::{OutboundRequest, OutboundResponse};
pub(super) use http::{HeaderMap, HeaderValue, Method};
pub(super) use jiff::Timestamp;
pub(super) use jiff::tz::TimeZone;
pub(super) use rust_decimal::Decimal;
pub(super) use secrecy::{ExposeSecret, SecretString};
pub(super) use serde_json::value::RawValue;
pub(super) use std::time::Duration;
