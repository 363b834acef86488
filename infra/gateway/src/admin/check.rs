//! `gateway admin check`: whether the functions find what they need to start.

use super::Failure;
use super::target::Target;
use crate::customers::into_cause;
use serde_json::json;
use shared::clock::Clock;
use shared::domain::CustomerId;
use shared::secrets::{SecretAccess, Secrets, names};
use std::time::Instant;
use uuid::Uuid;

/// A part, and what is wrong with it.
struct Part {
    name: &'static str,
    /// Without it no function starts; the others belong to a feature.
    is_required: bool,
    fault: Option<String>,
    milliseconds: u128,
}

/// Reads the table and each secret. An error if a required one cannot be read.
pub(super) async fn check(target: &Target, json: bool) -> Result<String, Failure> {
    let mut parts = vec![table(target).await];
    let (aws, prefix) = target.with_secrets()?;
    let client = aws.secrets_client();
    for (name, is_required, access) in [
        (names::TOKEN_KEYS, true, SecretAccess::TOKEN_KEYS),
        (names::PLATFORM_CLIENTS, true, SecretAccess::PLATFORMS),
        (names::PAYMENT_PROVIDER, false, SecretAccess::PAYMENTS),
        (names::IDENTITY_PROVIDER, false, SecretAccess::IDENTITY),
    ] {
        let begun = Instant::now();
        let fault = Secrets::load(&client, &prefix, access).await.err().map(|error| error.to_string());
        parts.push(Part { name, is_required, fault, milliseconds: begun.elapsed().as_millis() });
    }
    let report = if json { as_json(&parts) } else { parts.iter().map(line).collect() };
    let missing = |part: &Part| part.is_required && part.fault.is_some();
    if parts.iter().any(missing) { Err(report.trim_end().to_owned().into()) } else { Ok(report) }
}

async fn table(target: &Target) -> Part {
    let begun = Instant::now();
    // No customer has this id: the read finds nothing, in a table that exists.
    let read = target.store.account(CustomerId(Uuid::nil()), Clock::system().now()).await;
    let fault = read.err().map(|error| into_cause(error).to_string());
    Part { name: "table", is_required: true, fault, milliseconds: begun.elapsed().as_millis() }
}

fn line(part: &Part) -> String {
    let Part { name, fault, milliseconds, is_required } = part;
    match fault {
        None => format!("{name:<18} ok, {milliseconds} ms\n"),
        Some(fault) if *is_required => format!("{name:<18} FAILED: {fault}\n"),
        Some(fault) => format!("{name:<18} not there: {fault}\n"),
    }
}

fn as_json(parts: &[Part]) -> String {
    let parts = parts.iter().map(|part| {
        json!({ "name": part.name, "ok": part.fault.is_none(), "required": part.is_required, "fault": part.fault,
            "milliseconds": part.milliseconds as u64 })
    });
    format!("{}\n", json!({ "parts": parts.collect::<Vec<_>>() }))
}
