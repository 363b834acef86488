//! Reads `requests.http`; its first lines say how a request is written.

use std::collections::BTreeMap;

/// A request of the file.
#[derive(Debug, Default)]
pub(super) struct WrongRequest {
    pub(super) group: String,
    pub(super) name: String,
    pub(super) method: String,
    pub(super) path: String,
    /// A header without a value is left out.
    pub(super) headers: Vec<(String, Option<String>)>,
    pub(super) body: Vec<u8>,
    /// Of each demand one alternative is in an answer that teaches.
    pub(super) says: Vec<Vec<String>>,
    pub(super) asks: bool,
    pub(super) buys: bool,
    pub(super) is_right: bool,
    pub(super) is_not_ours: bool,
    /// How often it is sent without a record.
    pub(super) setup: Option<u32>,
}

/// The requests of a file, with these values for its variables.
pub(super) fn read(text: &str, variables: &BTreeMap<&'static str, String>) -> Vec<WrongRequest> {
    text.split("\n### ").skip(1).map(|block| request(block, variables)).collect()
}

fn request(block: &str, variables: &BTreeMap<&'static str, String>) -> WrongRequest {
    let (title, rest) = block.split_once('\n').expect("a title");
    let (group, name) = title.split_once(": ").unwrap_or_else(|| panic!("{title} has no group"));
    let (head, body) = rest.split_once("\n\n").unwrap_or((rest, ""));
    let body = filled(body.trim_end_matches('\n'), variables).unwrap_or_default();
    let mut made =
        WrongRequest { group: group.into(), name: name.into(), body: bytes(body), ..WrongRequest::default() };
    for line in head.lines() {
        match line.strip_prefix("# ") {
            Some(tag) => note(&mut made, tag),
            None if made.method.is_empty() => {
                let (method, path) = line.split_once(' ').unwrap_or_else(|| panic!("{title}: {line}"));
                made.method = method.to_owned();
                made.path = filled(path, variables).expect("a path");
            }
            None => {
                let (header, value) = line.split_once(':').unwrap_or_else(|| panic!("{title}: {line}"));
                made.headers.push((header.to_owned(), filled(value.trim(), variables)));
            }
        }
    }
    made
}

fn note(request: &mut WrongRequest, tag: &str) {
    match tag.split_once(' ').unwrap_or((tag, "")) {
        ("says:", demand) => request.says.push(demand.split(" | ").map(str::to_owned).collect()),
        ("asks", "") => request.asks = true,
        ("buys", "") => request.buys = true,
        ("is", "right") => request.is_right = true,
        ("is", "not ours") => request.is_not_ours = true,
        ("setup", times) => request.setup = Some(times.parse().unwrap_or(1)),
        _ => panic!("{}: {}: unknown tag {tag}", request.group, request.name),
    }
}

/// The text with the values of its variables; `None` for `{{absent}}`.
fn filled(text: &str, variables: &BTreeMap<&'static str, String>) -> Option<String> {
    let mut parts = text.split("{{");
    let mut filled = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (variable, rest) = part.split_once("}}").expect("the end of a variable");
        match variable.split(':').collect::<Vec<_>>()[..] {
            ["absent"] => return None,
            ["repeat", piece, times] => filled.push_str(&piece.repeat(times.parse().expect("a number"))),
            ["fields", count] => filled.push_str(&fields(count.parse().expect("a number"))),
            ["nested", depth] => filled.push_str(&"{\"a\":".repeat(depth.parse().expect("a number"))),
            ["bytes", _] => filled.push_str(&format!("{{{{{variable}}}}}")),
            _ => filled.push_str(variables.get(variable).unwrap_or_else(|| panic!("unknown variable {variable}"))),
        }
        filled.push_str(rest);
    }
    Some(filled)
}

/// An object with many fields.
fn fields(count: usize) -> String {
    let fields: Vec<String> = (0..count).map(|number| format!("\"f{number}\":0")).collect();
    format!("{{{}}}", fields.join(","))
}

/// The bytes of a body, which may be written in hexadecimal digits.
fn bytes(body: String) -> Vec<u8> {
    let Some(digits) = body.strip_prefix("{{bytes:").and_then(|rest| rest.strip_suffix("}}")) else {
        return body.into_bytes();
    };
    let byte = |at| u8::from_str_radix(&digits[at..at + 2], 16).expect("two digits");
    (0..digits.len()).step_by(2).map(byte).collect()
}
