//! A name server that changes its mind: each question about a name gets the next of its answers.

use std::collections::HashMap;
use std::net::{IpAddr, UdpSocket};

const HEADER: usize = 12;
/// Types of questions.
const A: u16 = 1;
const AAAA: u16 = 28;

/// The answers about a name, each with all addresses. The last one stays.
pub(crate) type Answers = Vec<Vec<IpAddr>>;

/// Serves names in a thread, until the process ends.
pub(crate) fn serve(names: HashMap<String, Answers>) {
    let socket = UdpSocket::bind("127.0.0.1:53").unwrap();
    std::thread::spawn(move || {
        // The resolver asks for A first and then for AAAA: both belong to one question.
        let mut asked: HashMap<String, usize> = HashMap::new();
        let mut query = [0; 512];
        while let Ok((length, client)) = socket.recv_from(&mut query) {
            let Some((name, kind, end)) = question(&query[..length]) else { continue };
            let count = asked.entry(name.clone()).or_default();
            *count += usize::from(kind == A);
            let none = Vec::new();
            let answers = names.get(&name).unwrap_or(&none);
            let index = count.saturating_sub(1).min(answers.len().saturating_sub(1));
            let addresses = answers.get(index).into_iter().flatten().copied();
            let _ = socket.send_to(&response(&query[..end], kind, addresses), client);
        }
    });
}

/// The name and the type of a query's question, and where it ends.
fn question(query: &[u8]) -> Option<(String, u16, usize)> {
    let (mut labels, mut at) = (Vec::new(), HEADER);
    loop {
        let length = usize::from(*query.get(at)?);
        at += 1;
        if length == 0 {
            break;
        }
        labels.push(String::from_utf8_lossy(query.get(at..at + length)?).to_ascii_lowercase());
        at += length;
    }
    let kind = u16::from_be_bytes([*query.get(at)?, *query.get(at + 1)?]);
    Some((labels.join("."), kind, at + 4))
}

/// The response to a query, of which this is the header and the question. Nothing may be cached.
fn response(query: &[u8], kind: u16, addresses: impl Iterator<Item = IpAddr>) -> Vec<u8> {
    let mut records = Vec::new();
    let mut count: u16 = 0;
    for address in addresses {
        let data = match (kind, address) {
            (A, IpAddr::V4(address)) => address.octets().to_vec(),
            (AAAA, IpAddr::V6(address)) => address.octets().to_vec(),
            _ => continue,
        };
        count += 1;
        // A pointer to the name of the question, the type, the class IN, and the time to live.
        records.extend([&[0xc0, 0x0c][..], &kind.to_be_bytes(), &[0, 1], &[0; 4]].concat());
        records.extend(u16::try_from(data.len()).unwrap().to_be_bytes());
        records.extend(data);
    }
    // The id; response, authoritative, with recursion; one question, the answers, and no other records.
    let header = [&query[..2], &[0x85, 0x80, 0, 1], &count.to_be_bytes(), &[0; 4]].concat();
    [&header, &query[HEADER..], &records].concat()
}
