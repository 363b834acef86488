//! The functions and their baseline, a bare echo. They run in turn, so that other load on the machine affects both.

use crate::Failure;
use crate::cpu_share::CpuShare;
use crate::fixture::{Fixture, binary, command};
use crate::function::Function;
use crate::instructions;
use crate::table::{Budget, TableRow, interquartile_mean, median};
use bytes::Bytes;
use std::ffi::OsString;

/// Starts of each function, and requests after each start.
const STARTS: usize = 15;
const REQUESTS: usize = 60;
/// Starts of each function with a small share of a CPU.
const SHARED_STARTS: usize = 100;
/// Budget of a start, in millions of instructions up to the first request to `next`.
const START_M: f64 = 2.4;

/// A path that needs no store, and one that needs it.
const NO_STORE_PATH: &str = "/v1/platforms";
const STORE_PATH: &str = "/v1/connections";

/// The binary of every function.
pub(crate) const FUNCTIONS: [&str; 14] = [
    "api-keys",
    "assistants",
    "billing",
    "campaigns",
    "connections",
    "dashboard",
    "deliveries",
    "docs",
    "maintenance",
    "mcp",
    "redirect-uris",
    "usage-logs",
    "webhook-endpoints",
    "webhooks",
];

/// A function, its events, and the measurements.
struct MeasuredFunction {
    command: Vec<OsString>,
    events: Vec<Bytes>,
    start_ms: Vec<f64>,
    first_response_ms: Vec<f64>,
    warm_us: Vec<f64>,
    peak_mb: Vec<f64>,
}

/// The functions under comparison.
struct MeasuredFunctions {
    echo: MeasuredFunction,
    without_store: MeasuredFunction,
    with_store: MeasuredFunction,
}

impl MeasuredFunction {
    fn new(command: Vec<OsString>, events: Vec<Bytes>) -> MeasuredFunction {
        let none = Vec::new;
        MeasuredFunction {
            command,
            events,
            start_ms: none(),
            first_response_ms: none(),
            warm_us: none(),
            peak_mb: none(),
        }
    }

    async fn run(&mut self, fixture: &Fixture, requests: usize) -> Result<(), Failure> {
        let mut function = Function::start(&self.command, &fixture.environment()).await?;
        self.start_ms.push(function.ready.duration_since(function.started).as_secs_f64() * 1e3);
        for (number, event) in self.events.iter().cycle().take(requests).enumerate() {
            let invocation = function.invoke(event).await?;
            match number {
                0 => self
                    .first_response_ms
                    .push(invocation.completed.duration_since(function.started).as_secs_f64() * 1e3),
                _ => self.warm_us.push(invocation.duration.as_secs_f64() * 1e6),
            }
        }
        self.peak_mb.extend(function.peak_mb());
        Ok(())
    }

    async fn warm_k(&self, environment: &[(String, String)]) -> Result<f64, Failure> {
        instructions::warm_k(&self.command, environment, self.events.first().ok_or("no event")?).await
    }
}

impl MeasuredFunctions {
    async fn new(fixture: &Fixture, share: Option<&CpuShare>) -> Result<MeasuredFunctions, Failure> {
        let wrap = |command: Vec<OsString>| share.map_or_else(|| command.clone(), |share| share.wrap(&command));
        let public_event = Fixture::event(NO_STORE_PATH, None)?;
        let store_events: Result<Vec<Bytes>, Failure> =
            (0..REQUESTS).map(|_| Fixture::event(STORE_PATH, Some(fixture.next_key()))).collect();
        Ok(MeasuredFunctions {
            echo: MeasuredFunction::new(wrap(command("echo")?), vec![fixture.echo_event(NO_STORE_PATH).await?]),
            without_store: MeasuredFunction::new(wrap(command("docs")?), vec![public_event]),
            with_store: MeasuredFunction::new(wrap(command("connections")?), store_events?),
        })
    }

    async fn run(&mut self, fixture: &Fixture, starts: usize, requests: usize) -> Result<(), Failure> {
        for _ in 0..starts {
            self.echo.run(fixture, requests).await?;
            self.without_store.run(fixture, requests).await?;
            self.with_store.run(fixture, requests).await?;
        }
        Ok(())
    }
}

/// Start, latency and memory of the functions, on a whole CPU and on the share of 128 MB.
pub(crate) async fn rows(fixture: &Fixture) -> Result<Vec<TableRow>, Failure> {
    let mut subjects = MeasuredFunctions::new(fixture, None).await?;
    subjects.run(fixture, STARTS, REQUESTS).await?;
    let MeasuredFunctions { echo, without_store, with_store } = &subjects;
    let row = |measure: &str, ours: &[f64], baseline: &[f64], budget| {
        Some(TableRow::new(measure, median(ours)?, median(baseline)?, budget))
    };
    let mut rows: Vec<TableRow> = [
        row("start to first `next`, ms", &with_store.start_ms, &echo.start_ms, Budget::MaxRatio(2.0)),
        row(
            "start to first response, no store, ms",
            &without_store.first_response_ms,
            &echo.first_response_ms,
            Budget::None,
        ),
        row(
            "start to first response, with the store, ms",
            &with_store.first_response_ms,
            &echo.first_response_ms,
            Budget::None,
        ),
        row("warm request, no store, µs", &without_store.warm_us, &echo.warm_us, Budget::None),
        row("warm request, with the store, µs", &with_store.warm_us, &echo.warm_us, Budget::None),
        row("peak memory, warm, no store, MB", &without_store.peak_mb, &echo.peak_mb, Budget::Max(16.0)),
        row("peak memory, warm, with the store, MB", &with_store.peak_mb, &echo.peak_mb, Budget::Max(16.0)),
    ]
    .into_iter()
    .flatten()
    .collect();
    rows.extend(start_rows(fixture).await?);
    rows.extend(warm_rows(fixture, &subjects).await?);
    rows.extend(shared_rows(fixture).await?);
    Ok(rows)
}

/// Instructions of the start of each function.
pub(crate) async fn start_rows(fixture: &Fixture) -> Result<Vec<TableRow>, Failure> {
    if !instructions::is_available().await {
        println!("valgrind is not installed: the table has no instruction counts.\n");
        return Ok(Vec::new());
    }
    let environment = fixture.environment();
    let echo = instructions::start_m(&command("echo")?, &environment).await?;
    let mut rows = Vec::new();
    for name in FUNCTIONS {
        let ours = instructions::start_m(&command(name)?, &environment).await?;
        rows.push(TableRow::new(format!("start of {name}, M instructions"), ours, echo, Budget::Max(START_M)));
    }
    Ok(rows)
}

/// Instructions of a warm request.
async fn warm_rows(fixture: &Fixture, subjects: &MeasuredFunctions) -> Result<Vec<TableRow>, Failure> {
    if !instructions::is_available().await {
        return Ok(Vec::new());
    }
    let environment = fixture.environment();
    let ours = subjects.without_store.warm_k(&environment).await?;
    let echo = subjects.echo.warm_k(&environment).await?;
    Ok(vec![TableRow::new("warm request, no store, k instructions", ours, echo, Budget::MaxRatio(1.5))])
}

/// Measures with the share of a CPU of 128 MB. Lambda grants more during the start.
///
/// A process of this share stops when its part of a period of 20 ms is used up, and goes on in the next period. A start
/// begins anywhere in a period, so its duration varies by more than a period: it takes many starts, and their mean.
async fn shared_rows(fixture: &Fixture) -> Result<Vec<TableRow>, Failure> {
    let Some(share) = CpuShare::for_memory(128) else {
        println!("No permission to create control groups: the table has no measures with the CPU of 128 MB.\n");
        return Ok(Vec::new());
    };
    let MeasuredFunctions { mut echo, mut with_store, .. } = MeasuredFunctions::new(fixture, Some(&share)).await?;
    for _ in 0..SHARED_STARTS {
        echo.run(fixture, 1).await?;
        with_store.run(fixture, 1).await?;
    }
    let row = |measure: &str, ours: &[f64], baseline: &[f64], budget| {
        Some(TableRow::new(measure, interquartile_mean(ours)?, interquartile_mean(baseline)?, budget))
    };
    let rows = [
        row("the CPU of 128 MB: start to first `next`, ms", &with_store.start_ms, &echo.start_ms, Budget::None),
        row(
            "the CPU of 128 MB: start to first response, with the store, ms",
            &with_store.first_response_ms,
            &echo.first_response_ms,
            Budget::MaxRatio(1.6),
        ),
    ];
    Ok(rows.into_iter().flatten().collect())
}

/// Sizes of the binaries.
pub(crate) fn sizes() -> Result<Vec<TableRow>, Failure> {
    let size = |name: &str| Ok::<_, Failure>(std::fs::metadata(binary(name)?)?.len() as f64 / 1e6);
    let echo = size("echo")?;
    let row =
        |name: &&str| Ok(TableRow::new(format!("binary of {name}, MB"), size(name)?, echo, Budget::Max(largest(name))));
    FUNCTIONS.iter().map(row).collect()
}

/// Budget of a binary in MB, by what the function contains; README.md says why.
fn largest(name: &str) -> f64 {
    match name {
        // The pages, and the requests of six other functions in its own process.
        "dashboard" => 20.5,
        // The tools, and the requests of campaigns, connections and insights in its own process.
        "mcp" => 15.0,
        // The adapters of six platforms, with the ads of all, and bulk changes.
        "campaigns" => 13.0,
        // The adapters of six platforms.
        "connections" | "maintenance" => 11.5,
        _ => 9.5,
    }
}

#[cfg(test)]
mod tests {
    use super::FUNCTIONS;
    use std::path::Path;

    #[test]
    fn every_function_is_measured() {
        let folders = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../functions").read_dir().expect("the functions");
        let mut names: Vec<_> = folders.map(|entry| entry.expect("an entry").file_name()).collect();
        names.sort();
        assert_eq!(names, FUNCTIONS);
    }
}
