//! Memory of the functions, and their response times with the share of a CPU that comes with a memory size.

use crate::Failure;
use crate::cpu_share::CpuShare;
use crate::fixture::{Fixture, command};
use crate::function::Function;
use crate::table::{figure, median, percentile};
use bytes::Bytes;
use shared::domain::Platform;

/// Candidate memory sizes in MB.
const SIZES: [u64; 3] = [128, 256, 512];
const REQUESTS: usize = 100;
/// Campaigns in the listed account.
const CAMPAIGNS: usize = 50;

/// The table in Markdown.
pub(crate) async fn table(fixture: &Fixture) -> Result<String, Failure> {
    let advertiser = fixture.advertiser(Platform::Alpha, CAMPAIGNS).await?.to_owned();
    let requests = [
        ("campaigns", "/v1/campaigns", Fixture::event("/v1/campaigns", Some(&advertiser))?),
        ("connections", "/v1/connections", Fixture::event("/v1/connections", Some(&advertiser))?),
        ("billing", "/v1/billing/status", Fixture::event("/v1/billing/status", Some(&advertiser))?),
        ("webhook-endpoints", "/v1/events", Fixture::event("/v1/events", Some(&advertiser))?),
        ("docs", "/v1/platforms", Fixture::event("/v1/platforms", None)?),
        ("maintenance", "every minute", Bytes::from_static(b"{}")),
        ("deliveries", "every minute", Bytes::from_static(b"{}")),
        ("webhooks", "of an unknown customer", fixture.webhook_event()?),
    ];
    let mut head = "| function, request | peak MB | CPU ms to start | CPU ms a request |".to_owned();
    let mut line = "|---|---|---|---|".to_owned();
    for size in SIZES {
        head.push_str(&format!(" p50, p99 ms at {size} MB |"));
        line.push_str("---|");
    }
    let mut text = format!("{head}\n{line}\n");
    for (name, request, event) in &requests {
        text.push_str(&row(fixture, name, request, event).await?);
    }
    Ok(text)
}

async fn row(fixture: &Fixture, name: &str, request: &str, event: &Bytes) -> Result<String, Failure> {
    let show = |value: Option<f64>| value.map_or_else(|| "?".to_owned(), figure);
    let mut function = Function::start(&command(name)?, &fixture.environment()).await?;
    let start_cpu = function.cpu_ms();
    for _ in 0..REQUESTS {
        function.invoke(event).await?;
    }
    let request_cpu = function.cpu_ms().zip(start_cpu).map(|(all, start)| (all - start) / REQUESTS as f64);
    let mut text =
        format!("| {name}, {request} | {} | {} | {} |", show(function.peak_mb()), show(start_cpu), show(request_cpu));
    drop(function);
    for size in SIZES {
        let durations = durations_ms(fixture, name, event, size).await?;
        text.push_str(&format!(" {}, {} |", show(median(&durations)), show(percentile(&durations, 99))));
    }
    text.push('\n');
    Ok(text)
}

/// Durations of requests with the share of a CPU that comes with a memory size; empty where shares are unavailable.
async fn durations_ms(fixture: &Fixture, name: &str, event: &Bytes, size: u64) -> Result<Vec<f64>, Failure> {
    let Some(share) = CpuShare::for_memory(size) else { return Ok(Vec::new()) };
    let mut function = Function::start(&share.wrap(&command(name)?), &fixture.environment()).await?;
    let mut durations = Vec::new();
    for _ in 0..REQUESTS {
        durations.push(function.invoke(event).await?.duration.as_secs_f64() * 1e3);
    }
    Ok(durations)
}
