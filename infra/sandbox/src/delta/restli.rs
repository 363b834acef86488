//! Query parameters of the Rest.li protocol 2.0.0: nested records, lists and texts.
//!
//! LinkedIn API guide: "Rest.li protocol versions" and "Query parameters". Structural characters are literal;
//! texts are percent-encoded once. A raw plus is rejected, so a client that encodes like an HTML form fails.

use super::error::{error_response, invalid_param, unknown_param};
use crate::http::{Request, Response};

/// The maximum nesting. No query of the platform is deeper.
const MAX_DEPTH: usize = 8;

/// A structured value.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum RestliValue {
    Text(String),
    List(Vec<Self>),
    Record(Vec<(String, Self)>),
}

impl RestliValue {
    /// A field of a record.
    pub(crate) fn get(&self, name: &str) -> Option<&Self> {
        let Self::Record(fields) = self else { return None };
        fields.iter().find(|(known, _)| known == name).map(|(_, value)| value)
    }

    pub(crate) fn text(&self) -> Option<&str> {
        if let Self::Text(text) = self { Some(text) } else { None }
    }

    /// The texts of a list; `None` if an item is not a text.
    pub(crate) fn texts(&self) -> Option<Vec<&str>> {
        let Self::List(items) = self else { return None };
        items.iter().map(Self::text).collect()
    }

    /// Parses a whole value; `None` if it is malformed.
    pub(crate) fn parse(raw: &str) -> Option<Self> {
        let mut parser = Parser(raw);
        let value = parser.value(MAX_DEPTH)?;
        parser.0.is_empty().then_some(value)
    }
}

struct Parser<'r>(&'r str);

impl Parser<'_> {
    fn eat(&mut self, token: &str) -> bool {
        self.0.strip_prefix(token).map(|rest| self.0 = rest).is_some()
    }

    fn value(&mut self, depth: usize) -> Option<RestliValue> {
        let depth = depth.checked_sub(1)?;
        if self.eat("List(") {
            return self.items(|parser| parser.value(depth)).map(RestliValue::List);
        }
        if self.eat("(") {
            let field = |parser: &mut Self| {
                let name = parser.text()?;
                if parser.eat(":") { Some((name, parser.value(depth)?)) } else { None }
            };
            return self.items(field).map(RestliValue::Record);
        }
        self.text().map(RestliValue::Text)
    }

    /// Comma-separated items up to the closing parenthesis.
    fn items<T>(&mut self, mut item: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let mut items = Vec::new();
        if self.eat(")") {
            return Some(items);
        }
        loop {
            items.push(item(self)?);
            if self.eat(")") {
                return Some(items);
            }
            if !self.eat(",") {
                return None;
            }
        }
    }

    fn text(&mut self) -> Option<String> {
        if self.eat("''") {
            return Some(String::new());
        }
        let end = self.0.find(['(', ')', ',', ':', '\'']).unwrap_or(self.0.len());
        let (raw, rest) = self.0.split_at_checked(end)?;
        self.0 = rest;
        if raw.is_empty() { None } else { decode(raw) }
    }
}

/// Percent-decodes once. Rejects a raw plus.
fn decode(raw: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(raw.len());
    let mut rest = raw.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'+' => return None,
            b'%' => {
                let digits = [rest.next()?, rest.next()?];
                if !digits.iter().all(u8::is_ascii_hexdigit) {
                    return None;
                }
                u8::from_str_radix(str::from_utf8(&digits).ok()?, 16).ok()?
            }
            plain => plain,
        });
    }
    String::from_utf8(bytes).ok()
}

/// The raw query parameters of a request.
pub(crate) struct Query<'r> {
    pairs: Vec<(&'r str, &'r str)>,
    /// Whether the protocol version has records and lists.
    structured: bool,
}

impl<'r> Query<'r> {
    /// Rejects unknown and repeated parameters.
    pub(crate) fn read(request: &'r Request, known: &[&str]) -> Result<Self, Response> {
        let mut pairs = Vec::new();
        for pair in request.query.split('&').filter(|pair| !pair.is_empty()) {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            if !known.contains(&name) {
                return Err(unknown_param(name));
            }
            if pairs.iter().any(|(earlier, _)| *earlier == name) {
                return Err(invalid_param(name, "The parameter is given more than once"));
            }
            pairs.push((name, value));
        }
        Ok(Self { pairs, structured: is_protocol_2(request)? })
    }

    /// The value of a parameter, still encoded.
    pub(crate) fn raw(&self, name: &str) -> Option<&'r str> {
        self.pairs.iter().find(|(known, _)| *known == name).map(|(_, value)| *value)
    }

    /// A parameter as a plain text.
    pub(crate) fn text(&self, name: &str) -> Result<Option<String>, Response> {
        let Some(raw) = self.raw(name) else { return Ok(None) };
        decode(raw).map(Some).ok_or_else(|| invalid_param(name, "Invalid value for parameter"))
    }

    /// A parameter as a record or a list.
    pub(crate) fn data(&self, name: &str) -> Result<Option<RestliValue>, Response> {
        let Some(raw) = self.raw(name) else { return Ok(None) };
        if !self.structured {
            return Err(invalid_param(name, "Records and lists need X-Restli-Protocol-Version 2.0.0"));
        }
        RestliValue::parse(raw).map(Some).ok_or_else(|| invalid_param(name, "Invalid value for parameter"))
    }

    /// Checks the name of the finder in `q`.
    pub(crate) fn check_finder(&self, name: &str) -> Result<(), Response> {
        if self.raw("q") == Some(name) { Ok(()) } else { Err(invalid_param("q", "No such finder")) }
    }
}

/// Whether a request uses protocol version 2.0.0. Without the header it uses 1.0.0.
pub(crate) fn is_protocol_2(request: &Request) -> Result<bool, Response> {
    match request.header("x-restli-protocol-version") {
        Some("2.0.0") => Ok(true),
        None | Some("1.0.0") => Ok(false),
        Some(_) => Err(error_response(400, "BAD_REQUEST", "The Rest.li protocol version is not supported")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> RestliValue {
        RestliValue::Text(text.to_owned())
    }

    #[test]
    fn records_and_lists_nest_and_texts_are_decoded_once() {
        let parsed = RestliValue::parse("(name:(values:List(a%20b,c%2Cd%29,%2520)),test:false)").unwrap();
        let names = parsed.get("name").and_then(|name| name.get("values")).and_then(RestliValue::texts);
        assert_eq!(names, Some(vec!["a b", "c,d)", "%20"]));
        assert_eq!(parsed.get("test"), Some(&text("false")));
        assert_eq!(RestliValue::parse("List()"), Some(RestliValue::List(Vec::new())));
        assert_eq!(RestliValue::parse("List('')"), Some(RestliValue::List(vec![text("")])));
    }

    #[test]
    fn a_plus_and_malformed_values_are_rejected() {
        for invalid in
            ["List(a+b)", "List(a", "List(a))", "(a)", "(a:)", "(:b)", "%2", "%zz", "%ff", "List(a,)", "", "a'b"]
        {
            assert_eq!(RestliValue::parse(invalid), None, "{invalid}");
        }
        let deep = "(a:".repeat(MAX_DEPTH) + "b" + &")".repeat(MAX_DEPTH);
        assert_eq!(RestliValue::parse(&deep), None);
    }

    #[test]
    fn encoded_structural_characters_are_plain_text() {
        assert_eq!(RestliValue::parse("%28status%3Ax%29"), Some(text("(status:x)")));
    }
}
