//! Arguments of `gateway listen`.

use crate::base_url::base_url;
use clap::Args;
use shared::domain::EventTypes;
use shared::outbound::public::{Reach, UrlPolicy};

const NOT_LOCAL: &str = "not an address of this machine: expected one like http://localhost:4000/webhooks. For an address \
                         on the internet, create an endpoint with POST /v1/webhook-endpoints";

/// Where the events come from and go to.
#[derive(Args)]
pub(crate) struct Arguments {
    /// Address on this machine that receives the events, such as http://localhost:4000/webhooks.
    #[arg(value_parser = receiver)]
    pub(super) url: String,
    /// Base URL of another API, such as https://api.example.com [default: the gateway that runs on the data folder, with
    /// the demo customer's key].
    #[arg(long, value_name = "URL", value_parser = api_url)]
    pub(super) api: Option<String>,
    /// Types of events, such as change.applied,change.failed [default: all].
    #[arg(long, value_name = "TYPES", value_parser = types, default_value = "*", hide_default_value = true)]
    pub(super) types: EventTypes,
}

/// The policy for receivers. The program itself has no port.
pub(super) fn receiver_policy() -> UrlPolicy {
    UrlPolicy::new(Reach::Local { own_ports: Vec::new() }, None)
}

fn receiver(text: &str) -> Result<String, String> {
    if !UrlPolicy::is_local(text) {
        return Err(NOT_LOCAL.to_owned());
    }
    receiver_policy().check(text).map(String::from).map_err(|refusal| refusal.to_string())
}

/// The examples of the API put `/v1` into the address.
fn api_url(text: &str) -> Result<String, String> {
    let url = base_url(text)?;
    if !url.starts_with("https://") && !UrlPolicy::is_local(&url) {
        return Err("expected https: the key would be sent in clear text".to_owned());
    }
    Ok(url.strip_suffix("/v1").unwrap_or(&url).to_owned())
}

fn types(text: &str) -> Result<EventTypes, String> {
    let names: Vec<String> = text.split(',').map(|name| name.trim().to_owned()).collect();
    EventTypes::parse(&names).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_receiver_is_on_this_machine() {
        for local in ["http://localhost:4000/webhooks", "http://127.0.0.1:1", "https://[::1]:2/a?b"] {
            assert!(receiver(local).is_ok(), "{local}");
        }
        for other in ["https://example.com/hooks", "http://10.0.0.1", "http://localhost.example.com", "localhost:4000"]
        {
            assert!(receiver(other).unwrap_err().contains("/v1/webhook-endpoints"), "{other}");
        }
        assert!(receiver("ftp://localhost/").is_err() && receiver("http://user@localhost/").is_err());
    }

    #[test]
    fn the_address_of_the_api_may_end_in_v1() {
        for text in ["https://api.example.com", "https://api.example.com/v1", "https://api.example.com/v1/"] {
            assert_eq!(api_url(text).as_deref(), Ok("https://api.example.com"));
        }
        assert!(api_url("http://127.0.0.1:8080").is_ok());
        assert!(api_url("http://api.example.com").unwrap_err().contains("https"));
    }

    #[test]
    fn types_are_separated_by_commas() {
        assert_eq!(types("change.failed, change.applied").unwrap().names(), ["change.applied", "change.failed"]);
        assert_eq!(types("*"), Ok(EventTypes::All));
        assert!(types("change.aplied").unwrap_err().contains("change.applied"));
        assert!(types("ping").is_err() && types("").is_err());
    }
}
