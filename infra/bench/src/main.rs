//! How fast the functions and the gateway are, each beside the least that its work can take: ratios, because times do
//! not carry from one machine to another.
//!
//! Functions run as on Lambda, against a Runtime API of ours on 127.0.0.1, and ask the gateway's store and secrets.
//! Ends by itself after some minutes, and ends what it has started.

mod floors;
mod function;
mod functions;
mod ground;
mod instructions;
mod load;
mod memory;
mod runtime_api;
mod serve;
mod share;
mod table;

use ground::Ground;
use std::process::ExitCode;
use std::time::Duration;
use table::{Budget, Row, median};

/// Anything that keeps a measure from being taken.
type Failure = Box<dyn std::error::Error + Send + Sync>;

/// How often, and how long each time, the gateway is under load.
const LOADS: usize = 3;
const LOADED: Duration = Duration::from_secs(2);
/// Nothing here takes this long unless it hangs.
const LONGEST: Duration = Duration::from_secs(900);

#[tokio::main]
async fn main() -> ExitCode {
    match tokio::time::timeout(LONGEST, measure()).await {
        Ok(Ok(())) => ExitCode::SUCCESS,
        Ok(Err(error)) => {
            eprintln!("bench: {error}");
            ExitCode::FAILURE
        }
        Err(_) => {
            eprintln!("bench: given up after {} s", LONGEST.as_secs());
            ExitCode::FAILURE
        }
    }
}

async fn measure() -> Result<(), Failure> {
    let ground = Ground::start().await?;
    let mut rows = functions::rows(&ground).await?;
    rows.extend(functions::sizes()?);
    rows.extend(gateway_rows(&ground).await?);
    println!("{}", table::render(&rows));
    println!("{}", memory::table(&ground).await?);
    ground.gateway.stop().await;
    Ok(())
}

/// `GET /v1/connections` at the gateway, the store in memory, beside bare servers.
async fn gateway_rows(ground: &Ground) -> Result<Vec<Row>, Failure> {
    let config = &ground.gateway.config;
    let echo = floors::echo().await?;
    let client = config.aws.dynamodb_client();
    // The first request of each has the account count.
    load::throughput(ground.gateway.address, "/v1/connections", ground.keys(), LOADED).await?;
    let customers = floors::copied(&client, &config.table, &ground.keys()).await?;
    let same_calls = floors::same_calls(client, config.table.clone(), customers).await?;
    let servers = [ground.gateway.address, same_calls.address, echo.address];
    let mut rates = [const { Vec::new() }; 3];
    for _ in 0..LOADS {
        for (server, rates) in servers.iter().zip(&mut rates) {
            rates.push(load::throughput(*server, "/v1/connections", ground.keys(), LOADED).await?);
        }
    }
    let [ours, same_calls, echo] = rates.map(|rates| median(&rates).unwrap_or_default());
    Ok(vec![
        Row::beside("gateway, requests/s, beside the same two calls", ours, same_calls, Budget::LeastTimes(0.5)),
        Row::beside("gateway, requests/s, beside a bare echo", ours, echo, Budget::None),
    ])
}
