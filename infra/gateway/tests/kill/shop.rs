//! Where the clients order: the gateway, wherever it is just now, and the sandbox behind it.

use crate::orders::{Dealing, Heard, Order, Place, Random};
use crate::served::Served;
use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, Method};
use lambda_http::{Body, Request, Response};
use serde_json::{Value, json};
use shared::outbound::{Failure, Outbound, Outgoing};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::{Instant, sleep};

/// Long enough for anything that is meant to answer.
const PATIENCE: Duration = Duration::from_secs(60);
const CREATE: &str = "/v1/campaigns";

/// What all clients know.
pub(crate) struct Shop {
    http: Outbound,
    api_key: String,
    sandbox: String,
    places: Vec<Place>,
    gateway: watch::Sender<Option<String>>,
    is_closed: watch::Sender<bool>,
}

impl Shop {
    /// Connects the first ad account of every platform.
    pub(crate) async fn open(served: &Served, sandbox: &str) -> Shop {
        let mut shop = Shop {
            http: Outbound::new().unwrap(),
            api_key: served.said("api_key").to_owned(),
            sandbox: sandbox.to_owned(),
            places: Vec::new(),
            gateway: watch::Sender::new(Some(served.said("gateway").to_owned())),
            is_closed: watch::Sender::new(false),
        };
        for platform in sandbox::PLATFORMS {
            shop.connect(platform).await;
        }
        let connections = shop.get("/v1/connections").await;
        let place = |connection: &Value| Place {
            platform: connection["platform"].as_str().unwrap().to_owned(),
            account: connection["remote_account_id"].as_str().unwrap().to_owned(),
        };
        shop.places = connections["connections"].as_array().unwrap().iter().map(place).collect();
        assert_eq!(shop.places.len(), sandbox::PLATFORMS.len());
        shop
    }

    /// Says how long every platform takes to look at a request.
    pub(crate) async fn hurry(&self, latency_ms: u64) {
        for platform in sandbox::PLATFORMS {
            let body = json!({"platform": platform, "latency_ms": latency_ms}).to_string();
            let url = format!("{}/_sandbox/settings", self.sandbox);
            let heard = self.send(outgoing(Method::POST, &url, "application/json", body)).await.unwrap();
            assert_eq!(heard.status, 200, "{heard:?}");
        }
    }

    async fn connect(&self, platform: &str) {
        let answer = self.get(&format!("/v1/connections/{platform}/authorize")).await;
        let consent = answer["authorize_url"].as_str().unwrap();
        let form = "application/x-www-form-urlencoded";
        let outgoing = outgoing(Method::POST, consent, form, "decision=approve".to_owned());
        let answer = self.http.send(outgoing, Instant::now() + PATIENCE).await.unwrap();
        let back = answer.headers["location"].to_str().unwrap();
        assert_eq!(self.send(plain(back)).await.unwrap().status, 200);
    }

    /// Says where the gateway is now.
    pub(crate) fn moves(&self, gateway: Option<&str>) {
        self.gateway.send_replace(gateway.map(str::to_owned));
    }

    /// Nobody orders any more.
    pub(crate) fn close(&self) {
        self.is_closed.send_replace(true);
    }

    /// Lets one client order until the shop is closed, and answers what he has then. What has no final answer yet he
    /// sends again when he was told to, and orders something else meanwhile.
    pub(crate) async fn serve(self: Arc<Self>, client: u64, mut random: Random) -> Vec<Dealing> {
        let (mut dealings, mut again): (Vec<Dealing>, Vec<(Instant, Dealing)>) = (Vec::new(), Vec::new());
        for number in 0.. {
            if *self.is_closed.borrow() {
                break;
            }
            let due = again.iter().position(|(at, _)| *at <= Instant::now());
            let mut dealing = match due {
                Some(at) => again.swap_remove(at).1,
                None => Dealing::of(Order::new(format!("Order {client} {number}"), &self.places, &mut random)),
            };
            let wait = self.deal(&mut dealing).await;
            if dealing.is_open() {
                again.push((Instant::now() + wait, dealing));
            } else {
                dealings.push(dealing);
            }
        }
        dealings.extend(again.into_iter().map(|(_, dealing)| dealing));
        dealings
    }

    /// Sends an order once, and answers when to send it again if need be.
    async fn deal(&self, dealing: &mut Dealing) -> Duration {
        let gateway = self.found().await;
        match self.order(&gateway, &dealing.order).await {
            Ok(heard) => {
                let wait = heard.retry_after.unwrap_or(1);
                dealing.heard.push(heard);
                Duration::from_secs(wait)
            }
            Err(_) => {
                dealing.broken += 1;
                // There is nobody any more.
                let _ = self.gateway.subscribe().wait_for(|now| now.as_ref() != Some(&gateway)).await;
                Duration::ZERO
            }
        }
    }

    async fn order(&self, gateway: &str, order: &Order) -> Result<Heard, Failure> {
        let mut outgoing =
            outgoing(Method::POST, &format!("{gateway}{CREATE}"), "application/json", order.body.clone());
        outgoing.headers.extend(self.headers(order));
        self.send(outgoing).await
    }

    fn headers(&self, order: &Order) -> HeaderMap {
        let own = [("x-api-key", Some(&self.api_key)), ("idempotency-key", order.key.as_ref())];
        let header = |(name, value): (&'static str, Option<&String>)| {
            Some((HeaderName::from_static(name), HeaderValue::from_str(value?).unwrap()))
        };
        own.into_iter().filter_map(header).collect()
    }

    /// An order for a service in this process.
    pub(crate) fn request(&self, order: &Order) -> Request {
        let mut request = Request::new(Body::Text(order.body.clone()));
        *request.method_mut() = Method::POST;
        *request.uri_mut() = CREATE.parse().unwrap();
        request.headers_mut().extend(self.headers(order));
        request
    }

    /// Sends once more what has its final answer: what is wrong with what comes.
    pub(crate) async fn replay(&self, dealing: &Dealing) -> Option<String> {
        dealing.order.key.as_ref()?;
        let (last, again) = (dealing.heard.last()?, self.let_in(&dealing.order).await);
        let is_same = again.is_replayed && (again.status, &again.text) == (last.status, &last.text);
        (!is_same).then(|| format!("{} is answered otherwise: {last:?}, then {again:?}", dealing.order.name))
    }

    /// The answer to an order that obeys the rate.
    async fn let_in(&self, order: &Order) -> Heard {
        loop {
            let heard = self.order(&self.found().await, order).await.unwrap();
            if heard.status != 429 {
                return heard;
            }
            sleep(Duration::from_secs(heard.retry_after.unwrap())).await;
        }
    }

    /// A resource of the service.
    pub(crate) async fn get(&self, path: &str) -> Value {
        loop {
            let mut outgoing = plain(&format!("{}{path}", self.found().await));
            outgoing.headers.insert("x-api-key", self.api_key.parse().unwrap());
            let heard = self.send(outgoing).await.unwrap();
            if heard.status != 429 {
                return serde_json::from_str(&heard.text).unwrap();
            }
            sleep(Duration::from_secs(heard.retry_after.unwrap())).await;
        }
    }

    /// All campaigns that the platforms hold.
    pub(crate) async fn made(&self) -> Vec<Value> {
        let heard = self.send(plain(&format!("{}/_sandbox/campaigns", self.sandbox))).await.unwrap();
        let made: Value = serde_json::from_str(&heard.text).unwrap();
        made["campaigns"].as_array().unwrap().clone()
    }

    /// Where the gateway is, as soon as it is anywhere.
    async fn found(&self) -> String {
        let mut gateway = self.gateway.subscribe();
        gateway.wait_for(Option::is_some).await.unwrap().clone().unwrap()
    }

    async fn send(&self, outgoing: Outgoing) -> Result<Heard, Failure> {
        let answer = self.http.send(outgoing, Instant::now() + PATIENCE).await?;
        Ok(of(answer.status.as_u16(), &answer.headers, &answer.body))
    }
}

/// The same of an answer in this process.
pub(crate) fn heard(answer: &Response<Body>) -> Heard {
    of(answer.status().as_u16(), answer.headers(), answer.body())
}

fn of(status: u16, headers: &HeaderMap, body: &[u8]) -> Heard {
    let header = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let text = String::from_utf8_lossy(body).into_owned();
    let is_replayed = header("idempotent-replayed") == Some("true");
    Heard { status, text, is_replayed, retry_after: header("retry-after").and_then(|wait| wait.parse().ok()) }
}

fn plain(url: &str) -> Outgoing {
    Outgoing { method: Method::GET, url: url.to_owned(), headers: HeaderMap::new(), body: Bytes::new() }
}

fn outgoing(method: Method, url: &str, content_type: &'static str, body: String) -> Outgoing {
    let headers = HeaderMap::from_iter([(http::header::CONTENT_TYPE, HeaderValue::from_static(content_type))]);
    Outgoing { method, body: body.into(), headers, ..plain(url) }
}
