//! Arguments of `gateway admin`.

use crate::base_url::base_url;
use clap::{Args, Subcommand};
use shared::domain::{CustomerId, PersonId, Plan};
use uuid::Uuid;

/// The longest email address that SMTP can deliver to (RFC 5321).
const MAX_EMAIL_BYTES: usize = 254;

/// The longest subject of an issuer.
const MAX_SUBJECT_BYTES: usize = 255;

/// The table to work on, and the command.
#[derive(Args)]
pub(crate) struct Arguments {
    /// Deployed table to work on; region and credentials are those of the AWS CLI: variables, profiles, SSO, roles.
    #[arg(long, value_name = "NAME", global = true)]
    pub(super) table: Option<String>,
    /// Profile of the AWS CLI for --table, instead of AWS_PROFILE.
    #[arg(long, value_name = "NAME", global = true)]
    pub(super) profile: Option<String>,
    #[command(subcommand)]
    pub(super) command: Command,
}

#[derive(Subcommand)]
pub(super) enum Command {
    /// Create a customer and print its API key, which is shown only once.
    CreateCustomer {
        /// Email address of the account's owner.
        #[arg(long, value_parser = email)]
        email: String,
        /// starter, pro or enterprise.
        #[arg(long, value_parser = plan, default_value = "starter")]
        plan: Plan,
        /// The person who gets the customer in the dashboard: the subject (`sub`) at the issuer, never the e-mail
        /// address.
        #[arg(long, value_name = "SUBJECT", value_parser = subject, requires = "issuer")]
        owner: Option<String>,
        /// Issuer of the owner, exactly as in its ID tokens.
        #[arg(long, value_name = "URL", value_parser = issuer, requires = "owner")]
        issuer: Option<String>,
    },
    /// List all customers.
    ListCustomers {
        /// Print one JSON array.
        #[arg(long)]
        json: bool,
    },
    /// Check the table and the secrets: what the functions need to start. With --table, SECRETS_PREFIX is the prefix of
    /// the secrets.
    Check {
        /// Print one JSON object.
        #[arg(long)]
        json: bool,
    },
    /// Replace all API keys of a customer by one with all scopes and print it, which is shown only once. The old keys
    /// stop working at once; sessions and unfinished authorizations end.
    RotateKey {
        /// The customer's id.
        #[arg(long, value_name = "ID", value_parser = customer_id)]
        customer: CustomerId,
    },
    /// Print a link with which one person joins a customer in the dashboard. It works once, for 24 hours.
    Invite {
        /// The customer's id.
        #[arg(long, value_name = "ID", value_parser = customer_id)]
        customer: CustomerId,
        /// Public URL of the service, such as https://api.example.com.
        #[arg(long, value_parser = base_url)]
        url: String,
    },
    /// List the open invitations to a customer.
    ListInvitations {
        /// The customer's id.
        #[arg(long, value_name = "ID", value_parser = customer_id)]
        customer: CustomerId,
        /// Print one JSON array.
        #[arg(long)]
        json: bool,
    },
    /// End an invitation before a person accepts it.
    WithdrawInvitation {
        /// The customer's id.
        #[arg(long, value_name = "ID", value_parser = customer_id)]
        customer: CustomerId,
        /// The invitation, as list-invitations prints it.
        #[arg(long, value_name = "ID", value_parser = digest)]
        invitation: String,
    },
    /// List the people who sign in for a customer.
    ListPeople {
        /// The customer's id.
        #[arg(long, value_name = "ID", value_parser = customer_id)]
        customer: CustomerId,
        /// Print one JSON array.
        #[arg(long)]
        json: bool,
    },
    /// Remove a person from a customer. The person's sessions end at once.
    RemovePerson {
        /// The customer's id.
        #[arg(long, value_name = "ID", value_parser = customer_id)]
        customer: CustomerId,
        /// The person, as list-people prints it.
        #[arg(long, value_name = "ID", value_parser = person_id)]
        person: PersonId,
    },
    /// End the sessions of a customer's people, or of one person.
    EndSessions {
        /// The customer's id.
        #[arg(long, value_name = "ID", value_parser = customer_id)]
        customer: CustomerId,
        /// The person, as list-people prints it [default: all people].
        #[arg(long, value_name = "ID", value_parser = person_id)]
        person: Option<PersonId>,
    },
    /// Change a customer's plan.
    SetPlan {
        /// The customer's id.
        #[arg(long, value_name = "ID", value_parser = customer_id)]
        customer: CustomerId,
        /// starter, pro or enterprise.
        #[arg(long, value_parser = plan)]
        plan: Plan,
    },
    /// Reject all further requests of a customer.
    DisableCustomer {
        /// The customer's id.
        #[arg(long, value_name = "ID", value_parser = customer_id)]
        customer: CustomerId,
    },
    /// Accept the requests of a disabled customer again.
    EnableCustomer {
        /// The customer's id.
        #[arg(long, value_name = "ID", value_parser = customer_id)]
        customer: CustomerId,
    },
    /// Print everything that is stored of a customer as JSON lines, without what gives access: tokens, secrets, sessions.
    ExportCustomer {
        /// The customer's id.
        #[arg(long, value_name = "ID", value_parser = customer_id)]
        customer: CustomerId,
    },
    /// Delete a disabled customer and everything that is stored of it, for good.
    DeleteCustomer {
        /// The customer's id.
        #[arg(long, value_name = "ID", value_parser = customer_id)]
        customer: CustomerId,
        /// Email address of the customer, against a wrong id.
        #[arg(long, value_parser = email)]
        email: String,
        /// Delete it although ad accounts are connected, whose campaigns go on running, or an outcome is unknown.
        #[arg(long)]
        leave_running: bool,
    },
    /// Re-encrypt all stored tokens with the active token key, so that older keys can be removed. With --table,
    /// SECRETS_PREFIX is the prefix of the secrets that hold the keys.
    Reseal,
}

/// A subject has at most 255 ASCII characters (OpenID Connect Core 1.0, section 2).
fn subject(text: &str) -> Result<String, String> {
    let is_valid =
        !text.is_empty() && text.len() <= MAX_SUBJECT_BYTES && text.bytes().all(|byte| byte.is_ascii_graphic());
    let rule = || format!("not a subject: expected at most {MAX_SUBJECT_BYTES} ASCII characters, without spaces");
    is_valid.then(|| text.to_owned()).ok_or_else(rule)
}

/// A trailing slash is part of an issuer's name, so the text stays as it is.
fn issuer(text: &str) -> Result<String, String> {
    base_url(text)
        .map(|_| text.to_owned())
        .map_err(|_| "not an issuer: expected a URL such as https://id.example.com".to_owned())
}

/// Catches typing errors. Only a delivered message proves that an address exists.
fn email(text: &str) -> Result<String, String> {
    let parts = text.split_once('@').filter(|(name, host)| !name.is_empty() && !host.is_empty() && !host.contains('@'));
    let has_spaces = text.chars().any(|c| c.is_whitespace() || c.is_control());
    match parts {
        Some(_) if !has_spaces && text.len() <= MAX_EMAIL_BYTES => Ok(text.to_owned()),
        _ => Err(format!("not an email address: expected name@host, at most {MAX_EMAIL_BYTES} bytes, without spaces")),
    }
}

fn plan(text: &str) -> Result<Plan, String> {
    Plan::parse(text).ok_or_else(|| format!("not a plan: expected one of {}", Plan::ALL.map(Plan::as_str).join(", ")))
}

fn customer_id(text: &str) -> Result<CustomerId, String> {
    Uuid::parse_str(text).map(CustomerId).map_err(|error| format!("a customer's id is a UUID: {error}"))
}

fn person_id(text: &str) -> Result<PersonId, String> {
    digest(text).map(PersonId)
}

/// People and invitations are named by a SHA-256.
fn digest(text: &str) -> Result<String, String> {
    let is_digest = text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte));
    is_digest.then(|| text.to_owned()).ok_or_else(|| "not an id: expected 64 digits from 0 to 9 and a to f".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_email_address_has_two_parts_and_no_spaces() {
        for valid in ["a@b", "demo@example.com", "ü@example.com"] {
            assert!(email(valid).is_ok(), "{valid}");
        }
        let long = format!("{}@example.com", "a".repeat(250));
        for invalid in ["", "@", "a@", "@b", "a b@c", "a@b@c", "a@b\n", "a@\u{7f}", &long] {
            assert!(email(invalid).is_err(), "{invalid}");
        }
    }

    #[test]
    fn a_subject_has_no_spaces_and_an_issuer_keeps_its_slash() {
        assert_eq!(subject("auth0|5f").as_deref(), Ok("auth0|5f"));
        for invalid in ["", "a b", "ü", &"a".repeat(256)] {
            assert!(subject(invalid).is_err(), "{invalid}");
        }
        assert_eq!(issuer("https://id.example.com/").as_deref(), Ok("https://id.example.com/"));
        assert!(issuer("id.example.com").is_err());
    }

    #[test]
    fn the_error_for_a_plan_lists_the_valid_ones() {
        assert_eq!(plan("pro"), Ok(Plan::Pro));
        assert!(plan("gold").unwrap_err().contains("starter, pro, enterprise"));
        assert!(customer_id("7").is_err());
    }
}
