//! The customer's users: their connections, and requests for them.

use crate::kill::harness::{Harness, post_request};
use http::Method;
use http::header::HeaderName;
use serde_json::{Value, json};

/// The header that names a user of the customer.
pub(crate) const USER_HEADER: &str = "x-external-ref";

impl Harness {
    /// Sends a request that succeeds, for a user of the customer if one is named.
    pub(crate) async fn ask(&self, user: Option<&str>, method: Method, path: &str, body: &Value) -> Value {
        let headers: Vec<_> = user.map(|user| (USER_HEADER, user)).into_iter().collect();
        let received = self.call_with(&headers, method, path, body).await.unwrap();
        assert!(received.status < 300, "{path} {body}: {received:?}");
        serde_json::from_str(&received.text).unwrap()
    }

    /// Opens an ad account in US dollars and connects it for a user of the customer. Returns its id as the API has it.
    pub(crate) async fn connect_new(&self, platform: &str, user: &str) -> String {
        let opened = self.control("accounts", &json!({"platform": platform, "currency": "USD"})).await;
        let account = opened["account"]["id"].as_str().unwrap();
        self.connect(platform, Some(user), &format!("&account={account}")).await;
        account.trim_start_matches("act_").to_owned()
    }

    /// Sends a request to a platform once more, as the sandbox has logged it. Returns the body of the response.
    pub(crate) async fn send_again(&self, logged: &Value) -> String {
        let text = |name: &str| logged[name].as_str().unwrap();
        let url = format!("{}/{}{}?{}", self.sandbox, text("platform"), text("path"), text("query"));
        let mut request = post_request(&url, "application/json", text("body").to_owned());
        request.method = text("method").parse().unwrap();
        request.headers.clear();
        for (name, value) in logged["headers"].as_object().unwrap() {
            if !["host", "content-length", "connection"].contains(&name.as_str()) {
                request.headers.insert(name.parse::<HeaderName>().unwrap(), value.as_str().unwrap().parse().unwrap());
            }
        }
        self.send(request).await.unwrap().text
    }
}
