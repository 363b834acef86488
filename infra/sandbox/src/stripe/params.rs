//! The parameters of a call: an HTML form in which brackets nest.
//!
//! `line_items[0][price]=price_pro`; a last `[]` takes the next free place of its list. A name that
//! the call does not have is refused, and so is an empty value.

use std::collections::BTreeMap;

use super::error::StripeError;
use crate::http::Pairs;

/// Values by their whole name, every index written out.
#[derive(Debug, Default)]
pub(super) struct Params(BTreeMap<String, String>);

impl Params {
    /// Reads a form or query. In `known` a `[#]` stands for an index and a `[*]` for any key.
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
            let name = params.whole(&parts);
            params.0.insert(name, value.to_owned());
        }
        Ok(params)
    }

    fn whole(&self, parts: &[&str]) -> String {
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

    /// The values of a list of texts.
    pub(super) fn list(&self, name: &str) -> impl Iterator<Item = &str> {
        let start = format!("{name}[");
        let of = move |(known, _): &(&String, &String)| known.starts_with(&start);
        self.0.iter().filter(of).map(|(_, value)| value.as_str())
    }

    /// Whether anything is said under this name.
    pub(super) fn has(&self, name: &str) -> bool {
        self.0.contains_key(name) || self.list(name).next().is_some()
    }

    /// A text that may be left out.
    pub(super) fn text(&self, name: &str) -> Result<Option<&str>, StripeError> {
        match self.0.get(name).map(String::as_str) {
            Some("") => Err(StripeError::empty(name)),
            text => Ok(text),
        }
    }

    /// A text that has to be there.
    pub(super) fn required(&self, name: &str) -> Result<&str, StripeError> {
        self.text(name)?.ok_or_else(|| StripeError::missing(name))
    }

    /// A whole number that may be left out.
    pub(super) fn number(&self, name: &str) -> Result<Option<i64>, StripeError> {
        let read = |text: &str| text.parse().map_err(|_| StripeError::integer(name, text));
        self.text(name)?.map(read).transpose()
    }

    /// `true` or `false`, which may be left out.
    pub(super) fn boolean(&self, name: &str) -> Result<Option<bool>, StripeError> {
        match self.text(name)? {
            None => Ok(None),
            Some("true") => Ok(Some(true)),
            Some("false") => Ok(Some(false)),
            Some(odd) => Err(StripeError::invalid(format!("Invalid boolean: {odd}")).about(name)),
        }
    }

    /// One of `values`, which may be left out.
    pub(super) fn choice(&self, name: &str, values: &[&str]) -> Result<Option<&str>, StripeError> {
        match self.text(name)? {
            Some(odd) if !values.contains(&odd) => {
                let why = format!("Invalid {name}: must be one of {}", values.join(", "));
                Err(StripeError::invalid(why).about(name))
            }
            text => Ok(text),
        }
    }

    /// An address of the web, which may be left out.
    pub(super) fn url(&self, name: &str) -> Result<Option<&str>, StripeError> {
        match self.text(name)? {
            Some(text) if !is_url(text) => Err(StripeError::url(name)),
            text => Ok(text),
        }
    }

    /// The metadata under a name, within Stripe's limits; an empty value unsets its key.
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

/// What a caller keeps with an object.
pub(super) type Metadata = BTreeMap<String, String>;

/// Adds to metadata what was sent; an empty value takes its key away.
pub(super) fn merge(kept: &mut Metadata, sent: Metadata) {
    kept.extend(sent);
    kept.retain(|_, value| !value.is_empty());
}

fn is_url(text: &str) -> bool {
    url::Url::parse(text).is_ok_and(|url| matches!(url.scheme(), "http" | "https"))
}

/// `a[b][c]` as its parts; `None` when the brackets do not match.
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
    fn a_list_without_indexes_is_counted() {
        let params = read("expand[]=customer&expand[]=subscription").unwrap();
        assert_eq!(params.list("expand").collect::<Vec<_>>(), ["customer", "subscription"]);
    }

    #[test]
    fn what_is_not_known_is_named() {
        for odd in ["moed", "mode[0]", "line_items[0][prize]", "line_items[x][price]", "metadata", "expand[0][x]"] {
            let error = read(&format!("{odd}=1")).unwrap_err();
            assert_eq!((error.code, error.param.as_deref()), (Some("parameter_unknown"), Some(odd)));
        }
        for broken in ["mode[", "mode]", "[mode]", "mode[[a]]", "mode[a]b"] {
            assert_eq!(read(&format!("{broken}=1")).unwrap_err().status, 400, "{broken}");
        }
    }

    #[test]
    fn an_empty_value_is_refused_and_metadata_has_limits() {
        assert_eq!(read("mode=").unwrap().text("mode").unwrap_err().code, Some("parameter_invalid_empty"));
        let metadata = |pairs: String| read(&pairs).unwrap().metadata("metadata");
        assert_eq!(metadata("metadata[plan]=pro".to_owned()).unwrap()["plan"], "pro");
        assert!(metadata(format!("metadata[{}]=1", "k".repeat(41))).is_err());
        assert!(metadata(format!("metadata[k]={}", "v".repeat(501))).is_err());
        let many: Vec<String> = (0..51).map(|at| format!("metadata[k{at}]=v")).collect();
        assert!(metadata(many.join("&")).is_err());
    }
}
