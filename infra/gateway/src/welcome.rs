//! What a newcomer is told: the steps to try, in the terminal at start and on the page at `/`.

use axum::body::Body;
use axum::response::Response;
use http::{HeaderValue, header};

/// The steps from nothing to a campaign, ready for a shell. `key` is what to put into its variable.
///
/// The headings are no comments: an interactive zsh knows none.
pub(crate) fn steps(gateway: &str, key: &str) -> String {
    format!(
        r#"  API={gateway}/v1
  KEY={key}

1. Connect: open the address that this prints in a browser, choose one ad account, approve

  curl -H "X-API-Key: $KEY" $API/connections/alpha_ads/authorize

2. See the connection

  curl -H "X-API-Key: $KEY" $API/connections

3. Create a campaign, which starts paused, and list it

  curl -H "X-API-Key: $KEY" $API/campaigns -H "Content-Type: application/json" \
    -d '{{"name":"Spring sale","goal":"TRAFFIC","budget_amount":50,"budget_period":"DAILY","platform":"alpha_ads"}}'
  curl -H "X-API-Key: $KEY" $API/campaigns

4. Activate it and delete it

  ID=$(curl -s -H "X-API-Key: $KEY" $API/campaigns | grep -o 'alpha_[0-9][0-9_]*' | head -n 1)
  curl -H "X-API-Key: $KEY" $API/campaigns/$ID -X PATCH -H "Content-Type: application/json" -d '{{"status":"ACTIVE"}}'
  curl -H "X-API-Key: $KEY" $API/campaigns/$ID -X DELETE -i
"#
    )
}

/// The page at `/`. It never holds the key: any page of the browser might read it here.
pub(crate) fn page(gateway: &str, sandbox: &str) -> String {
    let steps = escape(&steps(gateway, "uac_test_..."));
    format!(
        r#"<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Unified Ads, running locally</title>
<style>body {{ font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem }}
pre {{ background: #f4f4f4; padding: 1rem; overflow-x: auto }}</style>
<h1>Unified Ads, running locally</h1>
<p>One interface to several ad platforms. Everything here is on this machine: the platforms are played by the sandbox at
<a href="{sandbox}">{sandbox}</a>, and no money is spent.</p>
<p>Every endpoint, with examples: <a href="/docs">/docs</a>, and for machines <a href="/openapi.json">/openapi.json</a>.</p>
<p>Try it in a terminal. The API key is the one that the gateway printed when it started.</p>
<pre>{steps}</pre>
</html>
"#,
        sandbox = escape(sandbox)
    )
}

/// The page as an answer.
pub(crate) fn response(page: &str) -> Response {
    let mut response = Response::new(Body::from(page.to_owned()));
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    response
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_steps_name_the_address_and_the_key_once() {
        let steps = steps("http://127.0.0.1:8080", "uac_test_x");
        assert!(steps.contains("API=http://127.0.0.1:8080/v1\n") && steps.contains("KEY=uac_test_x\n"), "{steps}");
        assert_eq!((steps.matches("8080").count(), steps.matches("uac_test_x").count()), (1, 1));
    }

    #[test]
    fn the_page_escapes_what_it_shows() {
        let page = page("http://127.0.0.1:1", "http://h/<script>");
        assert!(!page.contains("<script>") && page.contains("&quot;X-API-Key: $KEY&quot;"));
    }
}
