//! Campaigns: the merged list, one campaign, and forms that create, change and delete campaigns.

mod amount;
mod change;
mod create;
mod create_form;
mod filter;
mod list;
mod one;
mod outcome;
mod wire;

pub(crate) use change::{change, delete};
pub(crate) use create::create;
pub(crate) use list::show;
pub(crate) use one::show as show_one;

/// An option of a select or a radio group.
struct Choice {
    value: String,
    text: String,
    is_chosen: bool,
}

/// The choices of a select, from values and what they say.
fn choices(known: &[(&str, &str)], chosen: &str) -> Vec<Choice> {
    let choice = |(value, text): &(&str, &str)| Choice {
        value: (*value).to_owned(),
        text: (*text).to_owned(),
        is_chosen: *value == chosen,
    };
    known.iter().map(choice).collect()
}
