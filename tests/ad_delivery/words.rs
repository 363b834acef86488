//! The words that people read: the page has every state and reason, as the code says them.

use shared::domain::{AdsUnread, DeliveryReason, DeliveryState};

#[test]
fn the_page_explains_every_state_and_reason() {
    let page = include_str!("../../docs/delivery.md");
    for reason in DeliveryReason::ALL {
        let row = format!("| `{}` | {} |", reason.as_str(), reason.advice());
        assert!(page.contains(&row), "{row}");
    }
    let states = DeliveryState::ALL.map(DeliveryState::as_str).into_iter();
    for name in states.chain(AdsUnread::ALL.map(AdsUnread::as_str)) {
        assert!(page.contains(&format!("| `{name}` |")), "{name}");
    }
}
