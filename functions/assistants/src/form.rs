//! The form of a request. It is read strictly: a parameter that is there twice could mean either.

use crate::refusal::Refusal;
use shared::envelope::query;
use shared::serve::ApiRequest;

/// Largest form in bytes.
const MAX_FORM_BYTES: usize = 16 * 1024;
/// The parameter that may be wrong in a way of its own.
pub(crate) const RESOURCE: &str = "resource";

/// The parameters of a form.
#[derive(Debug)]
pub(crate) struct Form(Vec<(String, String)>);

impl Form {
    /// The form of a request. Secrets in a query end in logs, so nothing is read there.
    pub(crate) fn of(request: &ApiRequest) -> Result<Form, Refusal> {
        if !request.query.is_empty() {
            return Err(Refusal::invalid_request("Send the parameters in the body, none in the address."));
        }
        let body = request.form_body(MAX_FORM_BYTES).ok_or_else(|| {
            let description = "Send a form of at most 16 KiB, with Content-Type: application/x-www-form-urlencoded.";
            Refusal::invalid_request(description)
        })?;
        Form::read(body)
    }

    fn read(body: &[u8]) -> Result<Form, Refusal> {
        let text = str::from_utf8(body).map_err(|_| Refusal::invalid_request("The form is not UTF-8."))?;
        let pairs = query::pairs(Some(text));
        // RFC 8707 allows several resources, so two of them are a wrong target rather than a wrong form.
        let is_twice = |at: usize, name: &str| name != RESOURCE && pairs[..at].iter().any(|(known, _)| known == name);
        match pairs.iter().enumerate().find(|(at, (name, _))| is_twice(*at, name)) {
            Some((_, (name, _))) => {
                let name: String = name.chars().filter(|c| c.is_ascii_graphic()).take(40).collect();
                Err(Refusal::invalid_request(format!("{name} is given twice.")))
            }
            None => Ok(Form(pairs)),
        }
    }

    /// The value of a parameter. One without a value counts as left out (RFC 6749, 3.2).
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        query::value(&self.0, name).filter(|value| !value.is_empty())
    }

    /// The value of a parameter that must be there.
    pub(crate) fn require(&self, name: &str) -> Result<&str, Refusal> {
        self.get(name).ok_or_else(|| Refusal::invalid_request(format!("{name} is missing.")))
    }

    /// Refuses tokens for another resource than this one, byte for byte.
    pub(crate) fn check_resource(&self, own: &str) -> Result<(), Refusal> {
        let mut sent = self.0.iter().filter(|(name, value)| name == RESOURCE && !value.is_empty());
        match (sent.next(), sent.next()) {
            (None, _) => Ok(()),
            (Some((_, resource)), None) if resource == own => Ok(()),
            (Some(_), _) => Err(Refusal::invalid_target(own)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OWN: &str = "https://ads.example.com/v1/mcp";

    fn error(outcome: Result<Form, Refusal>) -> &'static str {
        outcome.expect_err("a refusal").error
    }

    #[test]
    fn a_parameter_is_read_once_and_an_empty_one_is_none() {
        let form = Form::read(b"code=a%2Bb+c&state=&x=1").unwrap();
        assert_eq!((form.get("code"), form.get("state"), form.get("y")), (Some("a+b c"), None, None));
        assert_eq!(form.require("state").unwrap_err().error, "invalid_request");
        for twice in ["code=a&code=b", "code=a&x=1&code=a", "x=&x=", "scope=read&scope=write", "c%6Fde=a&code=b"] {
            assert_eq!(error(Form::read(twice.as_bytes())), "invalid_request", "{twice}");
        }
        assert_eq!(error(Form::read(b"code=\xff")), "invalid_request");
        assert_eq!(Form::read(b"").unwrap().get("code"), None);
    }

    #[test]
    fn the_name_of_a_repeated_parameter_is_shown_without_its_odd_characters() {
        let refusal = Form::read("a%22%0A%3Cb=1&a%22%0A%3Cb=2".as_bytes()).unwrap_err();
        assert_eq!(refusal.description, "a\"<b is given twice.");
    }

    #[test]
    fn only_the_own_resource_is_a_target() {
        let check = |form: &str| Form::read(form.as_bytes()).unwrap().check_resource(OWN);
        for fits in ["", "resource=", &format!("resource={OWN}"), "resource=https%3A%2F%2Fads.example.com%2Fv1%2Fmcp"] {
            assert_eq!(check(fits), Ok(()), "{fits}");
        }
        let twice = format!("resource={OWN}&resource={OWN}");
        for other in
            ["resource=https://ads.example.com/v1/mcp/", "resource=https://ads.example.com", "resource=x", &twice]
        {
            assert_eq!(check(other).unwrap_err().error, "invalid_target", "{other}");
        }
    }
}
