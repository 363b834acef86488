//! Benchmarks of the functions and the gateway. Each measure is compared with a baseline, because ratios carry over to
//! another machine and times do not.
//!
//! Functions run as on Lambda, against a Runtime API of the benchmark on 127.0.0.1, with the store and the secrets of a
//! gateway. The program stops after some minutes, together with every process that it started. `bench starts` takes one
//! minute: it counts the instructions of each start, and reads the sizes.

mod baselines;
mod cpu_share;
mod fixture;
mod function;
mod functions;
mod insights;
mod instructions;
mod load;
mod memory;
mod runtime_api;
mod serve;
mod table;

use fixture::Fixture;
use std::process::ExitCode;
use std::time::Duration;
use table::{Budget, TableRow, median};

/// Any error: the benchmark stops at the first one.
type Failure = Box<dyn std::error::Error + Send + Sync>;

/// Load tests of each server, and the duration of one.
const LOADS: usize = 3;
const LOAD_DURATION: Duration = Duration::from_secs(2);
/// Only a benchmark that hangs takes this long.
const TIMEOUT: Duration = Duration::from_secs(1_800);

#[tokio::main]
async fn main() -> ExitCode {
    match tokio::time::timeout(TIMEOUT, measure()).await {
        Ok(Ok(())) => ExitCode::SUCCESS,
        Ok(Err(error)) => {
            eprintln!("bench: {error}");
            ExitCode::FAILURE
        }
        Err(_) => {
            eprintln!("bench: timed out after {} s", TIMEOUT.as_secs());
            ExitCode::FAILURE
        }
    }
}

async fn measure() -> Result<(), Failure> {
    let fixture = Fixture::start().await?;
    if std::env::args().nth(1).as_deref() == Some("starts") {
        let mut rows = functions::start_rows(&fixture).await?;
        rows.extend(functions::sizes()?);
        println!("{}", table::render(&rows));
        return Ok(());
    }
    let mut rows = functions::rows(&fixture).await?;
    rows.extend(functions::sizes()?);
    rows.extend(gateway_rows(&fixture).await?);
    println!("{}", table::render(&rows));
    println!("{}", memory::table(&fixture).await?);
    println!("{}", insights::table(&fixture).await?);
    fixture.gateway.stop().await;
    Ok(())
}

/// Throughput of `listConnections` at the gateway, with the store in memory, and of the baselines.
async fn gateway_rows(fixture: &Fixture) -> Result<Vec<TableRow>, Failure> {
    let config = &fixture.gateway.config;
    let echo = baselines::echo().await?;
    let client = config.aws.dynamodb_client();
    // Each customer's first request initializes the counter of its account.
    load::throughput(fixture.gateway.address, "/v1/connections", fixture.keys(), LOAD_DURATION).await?;
    let accounts = baselines::copy_accounts(&client, &config.table, &fixture.keys()).await?;
    let same_calls = baselines::same_calls(client, config.table.clone(), accounts).await?;
    let servers = [fixture.gateway.address, same_calls.address, echo.address];
    let mut rates = [const { Vec::new() }; 3];
    for _ in 0..LOADS {
        for (server, rates) in servers.iter().zip(&mut rates) {
            rates.push(load::throughput(*server, "/v1/connections", fixture.keys(), LOAD_DURATION).await?);
        }
    }
    let [ours, same_calls, echo] = rates.map(|rates| median(&rates).unwrap_or_default());
    Ok(vec![
        TableRow::new("gateway, requests/s, beside the same two calls", ours, same_calls, Budget::MinRatio(0.5)),
        TableRow::new("gateway, requests/s, beside a bare echo", ours, echo, Budget::None),
    ])
}
