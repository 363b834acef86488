//! The sandbox without the service: `cargo run -p sandbox -- --port 8081`.

use clap::Parser;
use sandbox::Options;
use std::path::PathBuf;
use std::process::ExitCode;
use tokio::signal::unix::{SignalKind, signal};

/// Imitates ad platforms on 127.0.0.1, consent pages included.
#[derive(Parser)]
struct Arguments {
    /// Port on 127.0.0.1; 0 takes a free port.
    #[arg(long, default_value_t = 8081)]
    port: u16,
    /// Folder that keeps accounts, grants and campaigns between runs.
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let Arguments { port, data } = Arguments::parse();
    match run(Options { port, data }).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("sandbox: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn run(options: Options) -> Result<(), Box<dyn std::error::Error>> {
    let mut terminate = signal(SignalKind::terminate())?;
    let running = sandbox::start(options).await?;
    println!("sandbox: {}", running.url());
    tokio::select! {
        interrupt = tokio::signal::ctrl_c() => interrupt?,
        _ = terminate.recv() => {}
    }
    running.stop().await;
    Ok(())
}
