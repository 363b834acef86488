//! Parameters of a call: an HTML form with nested brackets.
//!
//! `line_items[0][price]=price_pro`; a last `[]` appends to its list. Unknown names and empty values are rejected.

use super::error::StripeError;
use crate::http::Pairs;
use std::collections::BTreeMap;

/// Values by their full name, with every index written out.
#[derive(Debug, Default)]
pub(super) struct Params(BTreeMap<String, String>);

impl Params {
    /// Parses a form or query. In `known`, `[#]` is any index and `[*]` is any key.
    pub(super) fn read(encoded: &str, known: &[&str]) -> Result<Self, StripeError> {
        let pairs = Pairs::parse(encoded);
        let mut params = Self::default();
        for (name, value) in pairs.iter() {
            let Some(parts) = parts(name) else {
                return Err(StripeError::invalid(format!("Invalid parameter name: {name}")).about(name));
            };
            if !known.iter().any(|pattern| matches(pattern, &parts)) {
                return Err(StripeError::unknown_parameter(name));
            }
            let name = params.full_name(&parts);
            params.0.insert(name, value.to_owned());
        }
        Ok(params)
    }

    fn full_name(&self, parts: &[&str]) -> String {
        let mut name = String::new();
        for (at, part) in parts.iter().enumerate() {
            match (at, *part) {
                (0, part) => name.push_str(part),
                (_, "") if at + 1 == parts.len() => name = format!("{name}[{}]", self.list(&name).count()),
                (_, "") => name.push_str("[0]"),
                (_, part) => name = format!("{name}[{part}]"),
            }
        }
        name
    }

    /// Values of a list.
    pub(super) fn list(&self, name: &str) -> impl Iterator<Item = &str> {
        let start = format!("{name}[");
        let of = move |(known, _): &(&String, &String)| known.starts_with(&start);
        self.0.iter().filter(of).map(|(_, value)| value.as_str())
    }

    /// True if the parameter, or a part of it, is present.
    pub(super) fn has(&self, name: &str) -> bool {
        self.0.contains_key(name) || self.list(name).next().is_some()
    }

    /// An optional text.
    pub(super) fn text(&self, name: &str) -> Result<Option<&str>, StripeError> {
        match self.0.get(name).map(String::as_str) {
            Some("") => Err(StripeError::empty(name)),
            text => Ok(text),
        }
    }

    /// A required text.
    pub(super) fn required(&self, name: &str) -> Result<&str, StripeError> {
        self.text(name)?.ok_or_else(|| StripeError::missing(name))
    }

    /// An optional whole number.
    pub(super) fn number(&self, name: &str) -> Result<Option<i64>, StripeError> {
        let read = |text: &str| text.parse().map_err(|_| StripeError::integer(name, text));
        self.text(name)?.map(read).transpose()
    }

    /// An optional `true` or `false`.
    pub(super) fn boolean(&self, name: &str) -> Result<Option<bool>, StripeError> {
        match self.text(name)? {
            None => Ok(None),
            Some("true") => Ok(Some(true)),
            Some("false") => Ok(Some(false)),
            Some(other) => Err(StripeError::invalid(format!("Invalid boolean: {other}")).about(name)),
        }
    }

    /// An optional text, one of `values`.
    pub(super) fn choice(&self, name: &str, values: &[&str]) -> Result<Option<&str>, StripeError> {
        match self.text(name)? {
            Some(other) if !values.contains(&other) => {
                let why = format!("Invalid {name}: must be one of {}", values.join(", "));
                Err(StripeError::invalid(why).about(name))
            }
            text => Ok(text),
        }
    }

    /// An optional http or https URL.
    pub(super) fn url(&self, name: &str) -> Result<Option<&str>, StripeError> {
        match self.text(name)? {
            Some(text) if !is_url(text) => Err(StripeError::url(name)),
            text => Ok(text),
        }
    }

    /// Metadata, within Stripe's limits. An empty value removes its key.
    pub(super) fn metadata(&self, name: &str) -> Result<Metadata, StripeError> {
        let start = format!("{name}[");
        let mut metadata = Metadata::new();
        for (known, value) in &self.0 {
            let Some(key) = known.strip_prefix(&start).and_then(|rest| rest.strip_suffix(']')) else { continue };
            let too_long = |what: &str, most: usize| {
                let why = format!("Metadata {what}s can have up to {most} characters, but you passed in more.");
                StripeError::invalid(why).about(name)
            };
            if key.chars().count() > 40 {
                return Err(too_long("key", 40));
            }
            if value.chars().count() > 500 {
                return Err(too_long("value", 500));
            }
            metadata.insert(key.to_owned(), value.clone());
        }
        if metadata.len() > 50 {
            return Err(StripeError::invalid("Metadata can have up to 50 keys.").about(name));
        }
        Ok(metadata)
    }
}

/// Key-value pairs that a caller stores with an object.
pub(super) type Metadata = BTreeMap<String, String>;

/// Merges sent metadata into stored metadata. An empty value removes its key.
pub(super) fn merge(stored: &mut Metadata, sent: Metadata) {
    stored.extend(sent);
    stored.retain(|_, value| !value.is_empty());
}

fn is_url(text: &str) -> bool {
    url::Url::parse(text).is_ok_and(|url| matches!(url.scheme(), "http" | "https"))
}

/// Splits `a[b][c]` into its parts; `None` when the brackets do not match.
fn parts(name: &str) -> Option<Vec<&str>> {
    let (first, mut rest) = name.split_at(name.find('[').unwrap_or(name.len()));
    let mut parts = vec![first];
    while !rest.is_empty() {
        let (part, after) = rest.strip_prefix('[')?.split_once(']')?;
        if part.contains('[') {
            return None;
        }
        parts.push(part);
        rest = after;
    }
    (!first.is_empty() && !first.contains(']')).then_some(parts)
}

fn matches(pattern: &str, given: &[&str]) -> bool {
    let Some(wanted) = parts(pattern) else { return false };
    let meets = |(wanted, given): (&&str, &&str)| match *wanted {
        "#" => given.bytes().all(|byte| byte.is_ascii_digit()),
        "*" => !given.is_empty(),
        exact => exact == *given,
    };
    wanted.len() == given.len() && wanted.iter().zip(given).all(meets)
}

#[cfg(test)]
mod tests {
    use super::*;

    const KNOWN: &[&str] = &["mode", "line_items[#][price]", "metadata[*]", "expand[#]"];

    fn read(encoded: &str) -> Result<Params, StripeError> {
        Params::read(encoded, KNOWN)
    }

    #[test]
    fn brackets_mean_the_same_literal_or_encoded() {
        for form in ["line_items[0][price]=p", "line_items%5B0%5D%5Bprice%5D=p", "line_items[][price]=p"] {
            assert_eq!(read(form).unwrap().text("line_items[0][price]"), Ok(Some("p")), "{form}");
        }
    }

    #[test]
    fn a_list_without_indexes_keeps_its_order() {
        let params = read("expand[]=customer&expand[]=subscription").unwrap();
        assert_eq!(params.list("expand").collect::<Vec<_>>(), ["customer", "subscription"]);
    }

    #[test]
    fn an_unknown_parameter_is_named_in_the_error() {
        for unknown in ["moed", "mode[0]", "line_items[0][prize]", "line_items[x][price]", "metadata", "expand[0][x]"] {
            let error = read(&format!("{unknown}=1")).unwrap_err();
            assert_eq!((error.code, error.param.as_deref()), (Some("parameter_unknown"), Some(unknown)));
        }
        for broken in ["mode[", "mode]", "[mode]", "mode[[a]]", "mode[a]b"] {
            assert_eq!(read(&format!("{broken}=1")).unwrap_err().status, 400, "{broken}");
        }
    }

    #[test]
    fn an_empty_value_is_rejected_and_metadata_has_limits() {
        assert_eq!(read("mode=").unwrap().text("mode").unwrap_err().code, Some("parameter_invalid_empty"));
        let metadata = |pairs: String| read(&pairs).unwrap().metadata("metadata");
        assert_eq!(metadata("metadata[plan]=pro".to_owned()).unwrap()["plan"], "pro");
        assert!(metadata(format!("metadata[{}]=1", "k".repeat(41))).is_err());
        assert!(metadata(format!("metadata[k]={}", "v".repeat(501))).is_err());
        let many: Vec<String> = (0..51).map(|at| format!("metadata[k{at}]=v")).collect();
        assert!(metadata(many.join("&")).is_err());
    }
}
