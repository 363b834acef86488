//! The consent page.

use crate::account::AccountSummary;
use crate::html::{escape, page};
use crate::http::Reply;

/// What a consent page asks.
pub(crate) struct ConsentPage<'a> {
    pub(crate) platform: &'a str,
    pub(crate) client: &'a str,
    /// Where the answer goes.
    pub(crate) redirect_uri: &'a str,
    /// What is asked for, in words.
    pub(crate) scopes: Vec<String>,
    pub(crate) accounts: Vec<AccountSummary>,
}

/// The page on which a person lets a client in. The form goes to the address it came from.
pub(crate) fn consent_page(asked: &ConsentPage<'_>) -> Reply {
    let scopes: String = asked.scopes.iter().map(|words| format!("<li>{}</li>", escape(words))).collect();
    let accounts: String = asked.accounts.iter().enumerate().map(|(at, card)| choice(card, at == 0)).collect();
    let main = format!(
        "<p class=\"note\">This is a sandbox that imitates {platform}. No real account is involved.</p>\
         <p><strong>{client}</strong> wants to:</p><ul>{scopes}</ul>\
         <form method=\"post\"><fieldset><legend>Ad accounts it may use</legend>{accounts}</fieldset>\
         <button name=\"decision\" value=\"approve\">Approve</button>\
         <button name=\"decision\" value=\"deny\" class=\"quiet\">Deny</button></form>\
         <p><small>The answer goes to <code>{redirect}</code></small></p>",
        platform = escape(asked.platform),
        client = escape(asked.client),
        redirect = escape(asked.redirect_uri),
    );
    page(200, &format!("Sign in with {} (sandbox)", asked.platform), &main)
}

fn choice(card: &AccountSummary, chosen: bool) -> String {
    let marks: String = card.marks.iter().map(|mark| format!(" · {mark} account")).collect();
    format!(
        "<label><input type=\"checkbox\" name=\"account\" value=\"{id}\"{checked}> {name} \
         <small>{id} · {currency} · {zone}{marks}</small></label>",
        id = escape(&card.id),
        checked = if chosen { " checked" } else { "" },
        name = escape(&card.name),
        currency = escape(&card.currency),
        zone = escape(&card.time_zone),
    )
}
