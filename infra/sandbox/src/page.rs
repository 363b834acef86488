//! The HTML pages: plain forms, no script, nothing loaded from elsewhere.

use std::fmt::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ring::digest;

use crate::http::{Reply, Request};
use crate::state::World;
use crate::stripe;

/// An ad account, as a person sees it.
pub(crate) struct AccountCard {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) currency: String,
    pub(crate) time_zone: String,
    /// Words such as "manager" and "test".
    pub(crate) marks: Vec<&'static str>,
}

/// What a consent page asks.
pub(crate) struct Consent<'a> {
    pub(crate) platform: &'a str,
    pub(crate) client: &'a str,
    /// Where the answer goes.
    pub(crate) redirect_uri: &'a str,
    /// What is asked for, in words.
    pub(crate) scopes: Vec<String>,
    pub(crate) accounts: Vec<AccountCard>,
}

const STYLE: &str = "\
:root{color-scheme:light dark}\
body{font:1rem/1.5 system-ui,sans-serif;max-width:44rem;margin:2rem auto;padding:0 1rem}\
main{border:1px solid #8888;border-radius:.75rem;padding:1rem 1.5rem 1.5rem}\
h1{font-size:1.4rem;margin:.5rem 0}h2{font-size:1.1rem;margin:1.5rem 0 .5rem}\
.note{background:#fc03;border-left:.3rem solid #c90;padding:.5rem .75rem;border-radius:.25rem}\
fieldset{border:1px solid #8888;border-radius:.5rem;padding:.5rem 1rem}\
select{font:inherit}label{display:block;padding:.4rem 0}label small{opacity:.8}\
button{font:inherit;padding:.5rem 1.5rem;margin:1rem .75rem 0 0;border-radius:.5rem;\
border:1px solid #1a56c4;background:#1a56c4;color:#fff;cursor:pointer}\
button.quiet{background:transparent;color:inherit;border-color:#8888}\
code,pre{font:.9em ui-monospace,monospace;overflow-wrap:anywhere;white-space:pre-wrap}\
table{border-collapse:collapse}td,th{text-align:left;padding:.2rem 1rem .2rem 0}";

/// Text as HTML shows it, inside elements and quoted attributes alike.
pub(crate) fn escape(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            other => safe.push(other),
        }
    }
    safe
}

/// A whole page around `main`, which is HTML already.
pub(crate) fn page(status: u16, title: &str, main: &str) -> Reply {
    let title = escape(title);
    let html = format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\
         <title>{title}</title><style>{STYLE}</style></head>\n\
         <body><main><h1>{title}</h1>\n{main}\n</main></body></html>\n"
    );
    Reply::new(status, "text/html; charset=utf-8", html)
        .with("content-security-policy", policy())
        .with("cache-control", "no-store")
        .with("referrer-policy", "no-referrer")
}

/// Nothing loads but our own style. `form-action` names no host: browsers hold it against every
/// redirect that follows the form, and consent ends at the client's address and may go on from
/// there.
fn policy() -> String {
    let style = STANDARD.encode(digest::digest(&digest::SHA256, STYLE.as_bytes()));
    format!(
        "default-src 'none'; style-src 'sha256-{style}'; form-action 'self' http: https:; \
         base-uri 'none'; frame-ancestors 'none'"
    )
}

/// The page on which a person lets a client in. The form goes to the address it came from.
pub(crate) fn consent(asked: &Consent<'_>) -> Reply {
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

fn choice(card: &AccountCard, chosen: bool) -> String {
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

/// The first page: what this is and how it is steered.
pub(crate) fn index(request: &Request, world: &World) -> Reply {
    if request.method != "GET" && request.method != "HEAD" {
        return Reply::new(405, "text/plain", "this page is only read").with("allow", "GET, HEAD");
    }
    let mut main = String::from(
        "<p>It imitates ad platforms and their payment provider on this machine, so that nothing here reaches a real account. \
         Every address of a platform is under its name: <code>https://host/path</code> becomes \
         <code>/platform/path</code>.</p>",
    );
    for word in crate::PLATFORMS {
        if let Some(platform) = world.platforms.get(word) {
            let _ = write!(main, "<h2>{} · <code>/{word}</code></h2>", escape(platform.title()));
            main.push_str(&account_table(&platform.accounts()));
        }
    }
    main.push_str(&stripe::card(&world.platforms.stripe));
    main.push_str(CONTROLS);
    page(200, "Ad platform sandbox", &main)
}

fn account_table(accounts: &[AccountCard]) -> String {
    let rows: String = accounts
        .iter()
        .map(|card| {
            let cells = [&card.id, &card.name, &card.currency, &card.time_zone];
            let cells: String = cells.iter().map(|cell| format!("<td>{}</td>", escape(cell))).collect();
            format!("<tr>{cells}<td>{}</td></tr>", card.marks.join(", "))
        })
        .collect();
    format!(
        "<table><thead><tr><th>Ad account</th><th>Name</th><th>Currency</th><th>Time zone</th>\
         <th></th></tr></thead><tbody>{rows}</tbody></table>"
    )
}

const CONTROLS: &str = "<h2>Control</h2><pre>\
GET  /_sandbox/requests?platform=alpha_ads   what the platform received\n\
GET  /_sandbox/campaigns?platform=alpha_ads  what the platform holds\n\
GET  /_sandbox/secrets?platform=alpha_ads    what it issued in this run, for tests that look for leaks\n\
POST /_sandbox/accounts  {&quot;platform&quot;:&quot;alpha_ads&quot;,&quot;currency&quot;:&quot;EUR&quot;}\n\
POST /_sandbox/access    {&quot;platform&quot;:&quot;alpha_ads&quot;,&quot;account&quot;:&quot;1002003001&quot;,&quot;access&quot;:&quot;lost&quot;} (or regained)\n\
POST /_sandbox/spend     {&quot;platform&quot;:&quot;alpha_ads&quot;,&quot;campaign_id&quot;:&quot;21000000001&quot;,&quot;amount&quot;:&quot;12.34&quot;}\n\
POST /_sandbox/faults    {&quot;platform&quot;:&quot;alpha_ads&quot;,&quot;operation&quot;:&quot;create&quot;,&quot;fault&quot;:&quot;drop_after&quot;,&quot;times&quot;:1}\n\
POST /_sandbox/settings  {&quot;platform&quot;:&quot;alpha_ads&quot;,&quot;access_token_ttl_s&quot;:60,&quot;latency_ms&quot;:0,&quot;page_size&quot;:2}\n\
POST /_sandbox/quirks    {&quot;platform&quot;:&quot;alpha_ads&quot;,&quot;quirk&quot;:&quot;all&quot;,&quot;on&quot;:true} (GET lists them)\n\
POST /_sandbox/reset     forgets faults, settings, quirks and the record of requests\n\n\
operations  create list get update delete token refresh revoke accounts any\n\
faults      error drop drop_after throttle revoked slow late garbage (slow and late take ms; times 0 clears)\
</pre>";
