//! How much memory the functions should be given: what they need of it, and how fast they are with the share of a CPU
//! that comes with it.

use crate::Failure;
use crate::function::Function;
use crate::ground::{Ground, command};
use crate::share::Share;
use crate::table::{figure, median, percentile};
use bytes::Bytes;

/// The sizes that come into question, in MB.
const SIZES: [u64; 3] = [128, 256, 512];
const REQUESTS: usize = 100;
/// Campaigns in the account that is listed.
const CAMPAIGNS: usize = 50;

/// The table of what functions need, in Markdown.
pub(crate) async fn table(ground: &Ground) -> Result<String, Failure> {
    let advertiser = ground.advertiser(CAMPAIGNS).await?.to_owned();
    let asked = [
        ("campaigns", "/v1/campaigns", Ground::event("/v1/campaigns", Some(&advertiser))?),
        ("connections", "/v1/connections", Ground::event("/v1/connections", Some(&advertiser))?),
        ("billing", "/v1/billing/status", Ground::event("/v1/billing/status", Some(&advertiser))?),
        ("maintenance", "every minute", Bytes::from_static(b"{}")),
    ];
    let mut head = "| function, request | peak MB | CPU ms to start | CPU ms a request |".to_owned();
    let mut line = "|---|---|---|---|".to_owned();
    for size in SIZES {
        head.push_str(&format!(" p50, p99 ms at {size} MB |"));
        line.push_str("---|");
    }
    let mut text = format!("{head}\n{line}\n");
    for (name, what, event) in &asked {
        text.push_str(&row(ground, name, what, event).await?);
    }
    Ok(text)
}

async fn row(ground: &Ground, name: &str, what: &str, event: &Bytes) -> Result<String, Failure> {
    let show = |value: Option<f64>| value.map_or_else(|| "?".to_owned(), figure);
    let mut function = Function::start(&command(name)?, &ground.environment()).await?;
    let to_start = function.cpu_ms();
    for _ in 0..REQUESTS {
        function.invoke(event).await?;
    }
    let of_each = function.cpu_ms().zip(to_start).map(|(all, start)| (all - start) / REQUESTS as f64);
    let mut text =
        format!("| {name}, {what} | {} | {} | {} |", show(function.peak_mb()), show(to_start), show(of_each));
    drop(function);
    for size in SIZES {
        let took = took_ms(ground, name, event, size).await?;
        text.push_str(&format!(" {}, {} |", show(median(&took)), show(percentile(&took, 99))));
    }
    text.push('\n');
    Ok(text)
}

/// How long requests take with the share of a CPU that comes with so much memory; nothing where there are no shares.
async fn took_ms(ground: &Ground, name: &str, event: &Bytes, size: u64) -> Result<Vec<f64>, Failure> {
    let Some(share) = Share::of(size) else { return Ok(Vec::new()) };
    let mut function = Function::start(&share.hold(&command(name)?), &ground.environment()).await?;
    let mut took = Vec::new();
    for _ in 0..REQUESTS {
        took.push(function.invoke(event).await?.took.as_secs_f64() * 1e3);
    }
    Ok(took)
}
