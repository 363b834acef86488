//! A proxy to the store that swallows certain writes and never responds to them.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};

/// Starts a proxy to an engine; returns its URL. A connection hangs after a request that contains one of the markers.
pub(crate) fn start(engine: &str, markers: &'static [&'static str]) -> String {
    let (engine, token) = engine.trim_start_matches("http://").split_once('/').expect("a path");
    let engine = engine.to_owned();
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let endpoint = format!("http://{}/{token}", listener.local_addr().expect("an address"));
    std::thread::spawn(move || {
        while let Ok((client, _)) = listener.accept() {
            let Ok(server) = TcpStream::connect(&engine) else { return };
            let back = (server.try_clone().expect("a stream"), client.try_clone().expect("a stream"));
            std::thread::spawn(move || forward(back.0, back.1, &[]));
            std::thread::spawn(move || forward(client, server, markers));
        }
    });
    endpoint
}

fn forward(mut from: TcpStream, mut to: TcpStream, markers: &[&str]) {
    let mut bytes = vec![0; 65_536];
    let mut hangs = false;
    while let Ok(length @ 1..) = from.read(&mut bytes) {
        let text = String::from_utf8_lossy(&bytes[..length]);
        hangs |= markers.iter().any(|marker| text.contains(marker));
        if !hangs && to.write_all(&bytes[..length]).is_err() {
            break;
        }
    }
    // The other side learns that this one has disconnected.
    let _ = to.shutdown(Shutdown::Both);
}
