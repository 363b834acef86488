//! The cursors of both lists.

#[path = "../../functions/campaigns/src/cursor.rs"]
mod of_campaigns;
#[path = "../../functions/usage-logs/src/cursor.rs"]
mod of_usage;

use super::platforms::now;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use of_campaigns::{Cursor, Position};
use shared::domain::{
    AdAccount, CampaignStatus, Connection, ConnectionId, ConnectionStatus, Currency, ListFilters, Platform, StatusSet,
    UsageFilters, UsagePosition,
};
use shared::error::{Error, Kind};

/// Reads the input as a cursor, as the content of one, and as a position. Returns whether it is any.
pub(super) fn cursor(input: &[u8]) -> bool {
    let Ok(text) = str::from_utf8(input) else { return false };
    let mut is_any = UsagePosition::parse(text).is_some_and(|position| position.to_string() == text);
    for cursor in [text, &URL_SAFE_NO_PAD.encode(text)] {
        is_any |= campaigns(cursor) | usage(cursor);
    }
    for filters in list_filters() {
        for start in [Position::Start, Position::After(text.to_owned())] {
            let cursor = Cursor::new(&connection(Platform::Beta, "7"), start.clone(), &filters, None);
            let read = Cursor::decode(&cursor.encode().expect("a cursor"), &filters, None).expect("what was given out");
            assert_eq!(read.position_in(&connection(Platform::Beta, "7")), Some(start));
        }
    }
    is_any
}

fn campaigns(text: &str) -> bool {
    let mut is_one = false;
    for filters in list_filters() {
        match Cursor::decode(text, &filters, None) {
            Ok(cursor) => {
                let again = cursor.encode().expect("a cursor");
                assert_eq!(Cursor::decode(&again, &filters, None).expect("the same"), cursor);
                // The list goes over connections in order: once it has begun in one, it has begun in all after it.
                let places = Platform::ALL.map(|platform| cursor.position_in(&connection(platform, "1")).is_some());
                assert!(places.is_sorted(), "{places:?}");
                is_one = true;
            }
            Err(error) => refused(&error),
        }
    }
    is_one
}

fn usage(text: &str) -> bool {
    let mut is_one = false;
    let of_path = UsageFilters { path: Some("/v1".to_owned()), to: Some(now()), ..UsageFilters::default() };
    for filters in [UsageFilters::default(), of_path] {
        match of_usage::decode(text, &filters) {
            Ok(position) => {
                assert!(filters.time_range_contains(&position));
                let again = of_usage::encode(&position, &filters).expect("a cursor");
                assert_eq!(of_usage::decode(&again, &filters).expect("the same"), position);
                is_one = true;
            }
            Err(error) => refused(&error),
        }
    }
    is_one
}

fn refused(error: &Error) {
    assert!(error.kind == Kind::Validation && error.details.iter().all(|fault| fault.field == "cursor"), "{error:?}");
}

fn list_filters() -> [ListFilters; 2] {
    let all = ListFilters {
        platform: None,
        account_id: None,
        connection_id: None,
        statuses: StatusSet::not_final(),
        name_contains: None,
        delivery_states: Vec::new(),
    };
    let one = ListFilters {
        platform: Some(Platform::Zeta),
        account_id: Some("1".to_owned()),
        connection_id: Some("conn_1".to_owned()),
        statuses: StatusSet::of(&[CampaignStatus::Active]),
        name_contains: Some("sale".to_owned()),
        delivery_states: Vec::new(),
    };
    [all, one]
}

fn connection(platform: Platform, account: &str) -> Connection {
    let account = AdAccount {
        id: account.to_owned(),
        name: String::new(),
        currency: Currency::from_code("USD").expect("a currency"),
        time_zone: "UTC".to_owned(),
        manager_id: None,
    };
    Connection {
        id: ConnectionId("conn_1".to_owned()),
        platform,
        status: ConnectionStatus::Active,
        reason: None,
        label: None,
        external_ref: None,
        campaign_defaults: None,
        account: Some(account),
        grant_id: None,
        created_at: now(),
        last_synced_at: None,
        paused_until: None,
    }
}
