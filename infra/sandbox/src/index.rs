//! The index page: the platforms, their ad accounts, and the control addresses.

use std::fmt::Write as _;

use crate::account::AccountSummary;
use crate::html::{self, escape};
use crate::http::{Reply, Request};
use crate::registry::PLATFORMS;
use crate::state::World;
use crate::stripe;

/// The first page: what this is and how it is steered.
pub(crate) fn page(request: &Request, world: &World) -> Reply {
    if request.method != "GET" && request.method != "HEAD" {
        return Reply::new(405, "text/plain", "this page is only read").with("allow", "GET, HEAD");
    }
    let mut main = String::from(
        "<p>It imitates ad platforms and their payment provider on this machine, so that nothing here reaches a real account. \
         Every address of a platform is under its name: <code>https://host/path</code> becomes \
         <code>/platform/path</code>.</p>",
    );
    for word in PLATFORMS {
        if let Some(platform) = world.platforms.get(word) {
            let _ = write!(main, "<h2>{} · <code>/{word}</code></h2>", escape(platform.title()));
            main.push_str(&account_table(&platform.accounts()));
        }
    }
    main.push_str(&stripe::card(&world.platforms.stripe));
    main.push_str(CONTROLS);
    html::page(200, "Ad platform sandbox", &main)
}

fn account_table(accounts: &[AccountSummary]) -> String {
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
