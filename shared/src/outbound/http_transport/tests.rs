use super::*;
use crate::outbound::Outbound;
use bytes::Bytes;
use http::{HeaderMap, Method, StatusCode};
use std::io::{Read, Write};
use tokio::time::Instant;

/// The URL of a server that answers one request with `head`, then repeats `block` until the client disconnects.
fn server(head: &'static str, block: Vec<u8>) -> String {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let _ = stream.read(&mut [0; 4096]);
        let _ = stream.write_all(head.as_bytes());
        while !block.is_empty() && stream.write_all(&block).is_ok() {}
    });
    url
}

async fn get(url: String) -> Result<OutboundResponse, Failure> {
    let request = OutboundRequest { method: Method::GET, url, headers: HeaderMap::new(), body: Bytes::new() };
    Outbound::new().unwrap().send(request, Instant::now() + Duration::from_secs(20)).await
}

#[tokio::test]
async fn a_body_of_100_mb_is_abandoned_early() {
    let head = "HTTP/1.1 200 OK\r\ncontent-length: 104857600\r\n\r\n";
    assert_eq!(get(server(head, vec![b' '; 65_536])).await.unwrap_err(), Failure::Broken);
}

#[tokio::test]
async fn a_redirect_is_not_followed() {
    let head = "HTTP/1.1 302 Found\r\nlocation: http://169.254.169.254/\r\ncontent-length: 0\r\n\r\n";
    assert_eq!(get(server(head, Vec::new())).await.unwrap().status, StatusCode::FOUND);
}

#[tokio::test]
async fn an_unsent_request_differs_from_a_broken_answer() {
    let cut = "HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf";
    assert_eq!(get(server(cut, Vec::new())).await.unwrap_err(), Failure::Broken);
    assert_eq!(get(server("", Vec::new())).await.unwrap_err(), Failure::Broken);
    let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    assert_eq!(get(format!("http://{closed}/")).await.unwrap_err(), Failure::NotSent);
}
