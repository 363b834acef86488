//! Queries of the Rest.li protocol 2.0.0: records, lists and texts in one line.
//!
//! LinkedIn API guide: "Rest.li protocol versions" and "Query parameters". Structure characters
//! stand as they are, texts are percent-encoded once; a plus is a plus here and never a space, so
//! that a client that encodes HTML forms is refused.

use super::error::{param, refused, unknown_param};
use crate::http::{Reply, Request};

/// Records and lists inside each other; deeper is no query of this platform.
const DEPTH: usize = 8;

/// A structured value.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Data {
    Text(String),
    List(Vec<Self>),
    Record(Vec<(String, Self)>),
}

impl Data {
    /// A field of a record.
    pub(crate) fn get(&self, name: &str) -> Option<&Self> {
        let Self::Record(fields) = self else { return None };
        fields.iter().find(|(known, _)| known == name).map(|(_, value)| value)
    }

    pub(crate) fn text(&self) -> Option<&str> {
        if let Self::Text(text) = self { Some(text) } else { None }
    }

    /// A list of texts.
    pub(crate) fn texts(&self) -> Option<Vec<&str>> {
        let Self::List(items) = self else { return None };
        items.iter().map(Self::text).collect()
    }

    /// Nothing for what is not well-formed.
    pub(crate) fn parse(raw: &str) -> Option<Self> {
        let mut reader = Reader(raw);
        let value = reader.value(DEPTH)?;
        reader.0.is_empty().then_some(value)
    }
}

struct Reader<'r>(&'r str);

impl Reader<'_> {
    fn eat(&mut self, token: &str) -> bool {
        self.0.strip_prefix(token).map(|rest| self.0 = rest).is_some()
    }

    fn value(&mut self, depth: usize) -> Option<Data> {
        let depth = depth.checked_sub(1)?;
        if self.eat("List(") {
            return self.items(|reader| reader.value(depth)).map(Data::List);
        }
        if self.eat("(") {
            let field = |reader: &mut Self| {
                let name = reader.text()?;
                if reader.eat(":") { Some((name, reader.value(depth)?)) } else { None }
            };
            return self.items(field).map(Data::Record);
        }
        self.text().map(Data::Text)
    }

    /// What stands between commas up to the closing bracket.
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

/// Undoes percent-encoding once. A raw plus is refused.
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

/// The parameters of a request, raw.
pub(crate) struct Query<'r> {
    pairs: Vec<(&'r str, &'r str)>,
    /// Whether the client speaks the protocol in which records and lists exist.
    structured: bool,
}

impl<'r> Query<'r> {
    /// Refuses what is not among `known` and what comes twice.
    pub(crate) fn read(request: &'r Request, known: &[&str]) -> Result<Self, Reply> {
        let mut pairs = Vec::new();
        for pair in request.query.split('&').filter(|pair| !pair.is_empty()) {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            if !known.contains(&name) {
                return Err(unknown_param(name));
            }
            if pairs.iter().any(|(earlier, _)| *earlier == name) {
                return Err(param(name, "The parameter is given more than once"));
            }
            pairs.push((name, value));
        }
        Ok(Self { pairs, structured: speaks_two(request)? })
    }

    /// A parameter as it was sent.
    pub(crate) fn raw(&self, name: &str) -> Option<&'r str> {
        self.pairs.iter().find(|(known, _)| *known == name).map(|(_, value)| *value)
    }

    /// A plain text.
    pub(crate) fn text(&self, name: &str) -> Result<Option<String>, Reply> {
        let Some(raw) = self.raw(name) else { return Ok(None) };
        decode(raw).map(Some).ok_or_else(|| param(name, "Invalid value for parameter"))
    }

    /// A record or a list.
    pub(crate) fn data(&self, name: &str) -> Result<Option<Data>, Reply> {
        let Some(raw) = self.raw(name) else { return Ok(None) };
        if !self.structured {
            return Err(param(name, "Records and lists need X-Restli-Protocol-Version 2.0.0"));
        }
        Data::parse(raw).map(Some).ok_or_else(|| param(name, "Invalid value for parameter"))
    }

    /// The finder has to be the one that is there.
    pub(crate) fn finder(&self, name: &str) -> Result<(), Reply> {
        if self.raw("q") == Some(name) { Ok(()) } else { Err(param("q", "No such finder")) }
    }
}

/// Whether a request speaks version 2.0.0 of the protocol; without a header it speaks 1.0.0.
pub(crate) fn speaks_two(request: &Request) -> Result<bool, Reply> {
    match request.header("x-restli-protocol-version") {
        Some("2.0.0") => Ok(true),
        None | Some("1.0.0") => Ok(false),
        Some(_) => Err(refused(400, "BAD_REQUEST", "The Rest.li protocol version is not supported")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> Data {
        Data::Text(text.to_owned())
    }

    #[test]
    fn records_and_lists_nest_and_texts_are_decoded_once() {
        let parsed = Data::parse("(name:(values:List(a%20b,c%2Cd%29,%2520)),test:false)").unwrap();
        let names = parsed.get("name").and_then(|name| name.get("values")).and_then(Data::texts);
        assert_eq!(names, Some(vec!["a b", "c,d)", "%20"]));
        assert_eq!(parsed.get("test"), Some(&text("false")));
        assert_eq!(Data::parse("List()"), Some(Data::List(Vec::new())));
        assert_eq!(Data::parse("List('')"), Some(Data::List(vec![text("")])));
    }

    #[test]
    fn a_plus_and_everything_malformed_is_refused() {
        for odd in ["List(a+b)", "List(a", "List(a))", "(a)", "(a:)", "(:b)", "%2", "%zz", "%ff", "List(a,)", "", "a'b"]
        {
            assert_eq!(Data::parse(odd), None, "{odd}");
        }
        let deep = "(a:".repeat(DEPTH) + "b" + &")".repeat(DEPTH);
        assert_eq!(Data::parse(&deep), None);
    }

    #[test]
    fn encoded_structure_is_a_text_and_no_structure() {
        assert_eq!(Data::parse("%28status%3Ax%29"), Some(text("(status:x)")));
    }
}
