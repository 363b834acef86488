//! Which URLs a webhook endpoint may have, locally and deployed.

use super::webhook_endpoints::PATH;
use crate::in_process::{json_of, respond};
use crate::world::{World, id_of};
use http::Request;
use lambda_http::Body;
use serde_json::{Value, json};
use shared::app::App;
use shared::outbound::public::Reach;
use std::sync::Arc;

/// Literal hosts by what they are. Browsers and libraries read many spellings of an address.
const REFUSED_HOSTS: &[(&str, &[&str])] = &[
    ("loopback", &["127.0.0.1", "127.0.0.2", "127.255.255.255", "127.0.0.1."]),
    ("decimal", &["2130706433", "2852039166", "167772161", "0"]),
    ("octal", &["0177.0.0.1", "017700000001", "0251.0376.0251.0376"]),
    ("hexadecimal", &["0x7f000001", "0x7f.0.0.1", "0xa9fea9fe", "0X7F.1"]),
    ("short", &["127.1", "127.0.1", "10.1", "169.254.43518"]),
    ("escaped", &["1%32%37.0.0.1", "１２７.０.０.１", "127。0。0。1"]),
    ("this network, 0/8", &["0.0.0.0", "0.0.0.1", "0.255.255.255"]),
    ("private", &["10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.0.1"]),
    ("carrier NAT", &["100.64.0.1", "100.100.100.200", "100.127.255.255"]),
    ("metadata", &["169.254.169.254", "169.254.170.2", "168.63.129.16", "[fd00:ec2::254]"]),
    ("multicast and 240/4", &["224.0.0.1", "240.0.0.1", "255.255.255.255", "[ff02::1]"]),
    ("documentation and benchmarks", &["192.0.2.1", "198.51.100.1", "203.0.113.1", "198.18.0.1", "[2001:db8::1]"]),
    ("IPv6", &["[::]", "[::1]", "[0:0:0:0:0:0:0:1]", "[fc00::1]", "[fe80::1]", "[fec0::1]"]),
    ("v4-mapped", &["[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::ffff:169.254.169.254]", "[::ffff:10.0.0.1]"]),
    ("v4-compatible and translated", &["[::127.0.0.1]", "[::169.254.169.254]", "[::ffff:0:127.0.0.1]"]),
    ("NAT64", &["[64:ff9b::127.0.0.1]", "[64:ff9b::a9fe:a9fe]", "[64:ff9b:1::7f00:1]"]),
    ("6to4", &["[2002:7f00:1::]", "[2002:a9fe:a9fe::1]", "[2002:808:808::1]"]),
    ("Teredo", &["[2001::1]", "[2001:0:7f00:1::]"]),
    (
        "local names",
        &["localhost", "LOCALHOST.", "a.localhost", "printer", "printer.local", "metadata.google.internal"],
    ),
];
/// URLs that are refused for another part than their host.
const REFUSED_URLS: [&str; 12] = [
    "http://example.com/",
    "http://example.com:443/",
    "ftp://example.com/",
    "file:///etc/passwd",
    "//example.com/",
    "https://example.com:80/",
    "https://example.com:8443/",
    "https://user@example.com/",
    "https://user:password@example.com/",
    "https://example.com@127.0.0.1/",
    "https://example.com/#fragment",
    "https:\\\\127.0.0.1\\",
];

/// The status and body with which a service answers a request with the demo customer's key.
async fn answer(world: &World, app: &Arc<App>, method: &str, path: &str, body: &Value) -> (u16, Value) {
    let request = Request::builder().method(method).uri(path).header("x-api-key", &world.gateway.api_key);
    let request = request.header("content-type", "application/json").body(Body::Text(body.to_string()));
    let response = respond(app, request.expect("a request")).await;
    (response.status().as_u16(), json_of(response.body()))
}

#[tokio::test]
async fn only_a_local_service_accepts_localhost_urls() {
    let world = World::start().await;
    let deployed = world.another(|config| config.webhook_reach = Reach::Public).await;
    for url in ["http://localhost:9000/a", "http://127.0.0.1:9000/", "http://[::1]:9000/", "http://localhost/"] {
        let body = json!({ "url": url, "types": ["*"] });
        let made = world.ask("POST", PATH).json(&body).expect(201).await.json();
        assert_eq!(made["url"], url);
        world.change_endpoint(&made, &json!({ "url": url }), 200).await;
        world.ask("DELETE", &format!("{PATH}/{}", id_of(&made))).expect(204).await;
        let (status, error) = answer(&world, &deployed, "POST", PATH, &body).await;
        assert_eq!((status, &error["details"][0]["field"]), (400, &json!("url")), "{url}");
    }
}

#[tokio::test]
async fn a_deployed_service_refuses_urls_outside_the_public_internet() {
    let world = World::start().await;
    let deployed = world.another(|config| config.webhook_reach = Reach::Public).await;
    let allowed = json!({ "url": "https://8.8.8.8/hooks", "types": ["*"] });
    let (status, made) = answer(&world, &deployed, "POST", PATH, &allowed).await;
    assert_eq!(status, 201, "{made}");
    let one = format!("{PATH}/{}", id_of(&made));
    let mut urls: Vec<(&str, String)> = REFUSED_URLS.map(|url| ("URL", url.to_owned())).into();
    for (what, hosts) in REFUSED_HOSTS {
        for host in *hosts {
            urls.push((what, format!("https://{host}/latest/meta-data/")));
            urls.push((what, format!("https://{host}:9001/2018-06-01/runtime/invocation/next")));
        }
    }
    for (what, url) in urls {
        let change = json!({ "url": url });
        let create = json!({ "url": url, "types": ["*"] });
        for (method, path, body) in [("POST", PATH, create), ("PATCH", one.as_str(), change)] {
            let (status, error) = answer(&world, &deployed, method, path, &body).await;
            assert_eq!((status, &error["details"][0]["field"]), (400, &json!("url")), "{what}: {url}: {error}");
        }
    }
    let (_, stored) = answer(&world, &deployed, "GET", &one, &Value::Null).await;
    assert_eq!(stored["url"], allowed["url"]);
}
