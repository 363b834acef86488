//! HTML pages: plain forms, no script, nothing loaded from elsewhere.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ring::digest;

use crate::http::Reply;

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
