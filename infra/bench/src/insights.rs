//! Insights of an account with many campaigns and days, read page by page with the CPU of 128 MB.

use crate::Failure;
use crate::cpu_share::CpuShare;
use crate::fixture::{Fixture, command};
use crate::function::Function;
use crate::table::figure;
use jiff::ToSpan;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use serde_json::{Value, json};
use shared::clock::Clock;
use shared::domain::Platform;
use std::time::Duration;

const CAMPAIGNS: usize = 1_000;
/// The most that every platform has: Pinterest keeps 90 days, and today is one of them.
const DAYS: i64 = 89;
/// Most rows of a page of the service.
const LIMIT: usize = 5_000;
/// Time that a platform takes for a call.
const LATENCY_MS: u64 = 300;
/// Memory size of the function in MB.
const MEMORY: u64 = 128;

/// The pages of a list, and the largest of their times and sizes.
#[derive(Default)]
struct PageTotals {
    rows: usize,
    pages: usize,
    longest: Duration,
    /// Size of the largest response in bytes.
    largest: usize,
}

/// The table in Markdown.
pub(crate) async fn table(fixture: &Fixture) -> Result<String, Failure> {
    let mut text =
        "| platform | rows | pages | longest page, s | largest response, MB | peak memory, MB |\n".to_owned();
    text.push_str("|---|---|---|---|---|---|\n");
    for platform in Platform::ALL {
        text.push_str(&row(fixture, platform).await?);
    }
    Ok(text)
}

async fn row(fixture: &Fixture, platform: Platform) -> Result<String, Failure> {
    let key = fixture.advertiser(platform, CAMPAIGNS).await?;
    fixture.control("delivery", &json!({"platform": platform.as_str(), "seed": 9, "days": DAYS})).await?;
    fixture.control("settings", &json!({"platform": platform.as_str(), "latency_ms": LATENCY_MS})).await?;
    let share = CpuShare::for_memory(MEMORY);
    let command = command("campaigns")?;
    let command = share.as_ref().map_or(command.clone(), |share| share.wrap(&command));
    let mut function = Function::start(&command, &fixture.environment()).await?;
    let pages_read = read(&mut function, key).await?;
    fixture.control("settings", &json!({"platform": platform.as_str(), "latency_ms": 0})).await?;
    let longest = pages_read.longest.as_secs_f64();
    let largest = pages_read.largest as f64 / 1e6;
    let peak = function.peak_mb().map_or_else(|| "?".to_owned(), figure);
    let PageTotals { rows, pages, .. } = pages_read;
    let name = platform.display_name();
    let longest = figure(longest);
    let largest = figure(largest);
    Ok(format!("| {name} | {rows} | {pages} | {longest} | {largest} | {peak} |\n"))
}

/// Reads the pages until there is no next one.
async fn read(function: &mut Function, key: &str) -> Result<PageTotals, Failure> {
    let (from, to) = (day_before_today(DAYS), day_before_today(1));
    let first = format!("/v1/insights?from={from}&to={to}&limit={LIMIT}");
    let mut target = first.clone();
    let mut pages_read = PageTotals::default();
    loop {
        let invocation = function.invoke(&Fixture::event(&target, Some(key))?).await?;
        let body = invocation.response["body"].as_str().ok_or("a response without a body")?;
        let page: Value = serde_json::from_str(body)?;
        if let Some(errors) = page.get("errors") {
            return Err(format!("an account without its rows: {errors}").into());
        }
        pages_read.rows += page["accounts"][0]["rows"].as_array().map_or(0, Vec::len);
        pages_read.pages += 1;
        pages_read.longest = pages_read.longest.max(invocation.duration);
        pages_read.largest = pages_read.largest.max(body.len());
        let Some(cursor) = page["pagination"]["next_cursor"].as_str() else { return Ok(pages_read) };
        target = format!("{first}&cursor={cursor}");
    }
}

/// The day so many days before today in UTC.
fn day_before_today(days: i64) -> Date {
    TimeZone::UTC.to_datetime(Clock::system().now()).date().saturating_sub(days.days())
}
