//! The functions, each beside the bare echo: turn by turn, so that what else the machine does meets both.

use crate::Failure;
use crate::function::Function;
use crate::ground::{Ground, binary, command};
use crate::instructions::{Instructions, can_be_counted, count};
use crate::share::Share;
use crate::table::{Budget, Row, median};
use bytes::Bytes;
use std::ffi::OsString;

/// How often each is started, and how many requests it then answers.
const ROUNDS: usize = 15;
const REQUESTS: usize = 60;
/// How often with a small share of a CPU, where everything takes longer.
const SHARED_ROUNDS: usize = 7;

/// What needs no store, and what needs it.
const PUBLIC: &str = "/v1/platforms";
const STORED: &str = "/v1/connections";

/// Every function, by its binary.
pub(crate) const FUNCTIONS: [&str; 7] =
    ["api-keys", "billing", "campaigns", "connections", "redirect-uris", "maintenance", "usage-logs"];

/// What is started over and over, and what it is asked.
struct Subject {
    command: Vec<OsString>,
    events: Vec<Bytes>,
    to_next_ms: Vec<f64>,
    first_ms: Vec<f64>,
    warm_us: Vec<f64>,
    peak_mb: Vec<f64>,
}

/// The three that are compared.
struct Subjects {
    echo: Subject,
    without_store: Subject,
    with_store: Subject,
}

impl Subject {
    fn new(command: Vec<OsString>, events: Vec<Bytes>) -> Subject {
        let none = Vec::new;
        Subject { command, events, to_next_ms: none(), first_ms: none(), warm_us: none(), peak_mb: none() }
    }

    async fn run(&mut self, ground: &Ground, requests: usize) -> Result<(), Failure> {
        let mut function = Function::start(&self.command, &ground.environment()).await?;
        self.to_next_ms.push(function.ready.duration_since(function.started).as_secs_f64() * 1e3);
        for (number, event) in self.events.iter().cycle().take(requests).enumerate() {
            let invoked = function.invoke(event).await?;
            match number {
                0 => self.first_ms.push(invoked.at.duration_since(function.started).as_secs_f64() * 1e3),
                _ => self.warm_us.push(invoked.took.as_secs_f64() * 1e6),
            }
        }
        self.peak_mb.extend(function.peak_mb());
        Ok(())
    }

    async fn count(&self, environment: &[(String, String)]) -> Result<Instructions, Failure> {
        count(&self.command, environment, self.events.first().ok_or("nothing to ask")?).await
    }
}

impl Subjects {
    async fn new(ground: &Ground, share: Option<&Share>) -> Result<Subjects, Failure> {
        let hold = |command: Vec<OsString>| share.map_or_else(|| command.clone(), |share| share.hold(&command));
        let public = Ground::event(PUBLIC, None)?;
        let mine: Result<Vec<Bytes>, Failure> =
            (0..REQUESTS).map(|_| Ground::event(STORED, Some(ground.key()))).collect();
        Ok(Subjects {
            echo: Subject::new(hold(command("echo")?), vec![ground.event_with_the_answer_of(PUBLIC).await?]),
            without_store: Subject::new(hold(command("campaigns")?), vec![public]),
            with_store: Subject::new(hold(command("connections")?), mine?),
        })
    }

    async fn run(&mut self, ground: &Ground, rounds: usize, requests: usize) -> Result<(), Failure> {
        for _ in 0..rounds {
            self.echo.run(ground, requests).await?;
            self.without_store.run(ground, requests).await?;
            self.with_store.run(ground, requests).await?;
        }
        Ok(())
    }
}

/// The rows of what functions take, on a whole CPU and with the share of little memory.
pub(crate) async fn rows(ground: &Ground) -> Result<Vec<Row>, Failure> {
    let mut subjects = Subjects::new(ground, None).await?;
    subjects.run(ground, ROUNDS, REQUESTS).await?;
    let Subjects { echo, without_store, with_store } = &subjects;
    let beside = |measure: &str, ours: &[f64], floor: &[f64], budget| {
        Some(Row::beside(measure, median(ours)?, median(floor)?, budget))
    };
    let mut rows: Vec<Row> = [
        beside("start to first `next`, ms", &without_store.to_next_ms, &echo.to_next_ms, Budget::MostTimes(2.0)),
        beside("start to first answer, no store, ms", &without_store.first_ms, &echo.first_ms, Budget::None),
        beside("start to first answer, with the store, ms", &with_store.first_ms, &echo.first_ms, Budget::None),
        beside("warm request, no store, µs", &without_store.warm_us, &echo.warm_us, Budget::None),
        beside("warm request, with the store, µs", &with_store.warm_us, &echo.warm_us, Budget::None),
        beside("peak memory, warm, no store, MB", &without_store.peak_mb, &echo.peak_mb, Budget::Most(16.0)),
        beside("peak memory, warm, with the store, MB", &with_store.peak_mb, &echo.peak_mb, Budget::Most(16.0)),
    ]
    .into_iter()
    .flatten()
    .collect();
    rows.extend(instruction_rows(ground, &subjects).await?);
    rows.extend(shared_rows(ground).await?);
    Ok(rows)
}

async fn instruction_rows(ground: &Ground, subjects: &Subjects) -> Result<Vec<Row>, Failure> {
    if !can_be_counted().await {
        println!("No valgrind here: instructions are left out.\n");
        return Ok(Vec::new());
    }
    let environment = ground.environment();
    let ours = subjects.without_store.count(&environment).await?;
    let echo = subjects.echo.count(&environment).await?;
    Ok(vec![
        Row::beside(
            "start to first `next`, M instructions",
            ours.start_m,
            echo.start_m,
            Budget::MostTimesAnd(2.0, 2.5),
        ),
        Row::beside("warm request, no store, k instructions", ours.warm_k, echo.warm_k, Budget::MostTimes(1.5)),
    ])
}

/// With the share of a CPU that 128 MB have. Lambda gives more during the start.
async fn shared_rows(ground: &Ground) -> Result<Vec<Row>, Failure> {
    let Some(share) = Share::of(128) else {
        println!("No control groups to write to here: what 128 MB would take is left out.\n");
        return Ok(Vec::new());
    };
    let mut subjects = Subjects::new(ground, Some(&share)).await?;
    subjects.run(ground, SHARED_ROUNDS, 2).await?;
    let Subjects { echo, without_store, with_store } = &subjects;
    let beside = |measure: &str, ours: &[f64], floor: &[f64]| {
        Some(Row::beside(measure, median(ours)?, median(floor)?, Budget::None))
    };
    let rows = [
        beside("the CPU of 128 MB: start to first `next`, ms", &without_store.to_next_ms, &echo.to_next_ms),
        beside("the CPU of 128 MB: start to first answer, with the store, ms", &with_store.first_ms, &echo.first_ms),
    ];
    Ok(rows.into_iter().flatten().collect())
}

/// How large the binaries are.
pub(crate) fn sizes() -> Result<Vec<Row>, Failure> {
    let size = |name: &str| Ok::<_, Failure>(std::fs::metadata(binary(name)?)?.len() as f64 / 1e6);
    let echo = size("echo")?;
    let row = |name: &&str| Ok(Row::beside(format!("binary of {name}, MB"), size(name)?, echo, Budget::Most(8.0)));
    FUNCTIONS.iter().map(row).collect()
}
