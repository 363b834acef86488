//! The `gateway admin` commands: they manage the customers of a data folder, whether or not a gateway runs on it, or of
//! a deployed table.

mod arguments;
mod aws;
mod check;
mod commands;
mod leaving;
mod output;
mod people;
mod rotate_key;
mod target;

pub(crate) use arguments::Arguments;

use arguments::Command;
use std::io::{self, Write};
use std::path::PathBuf;
use target::Target;

type Failure = Box<dyn std::error::Error + Send + Sync>;

/// Runs one command and prints its result.
pub(crate) async fn run(arguments: Arguments, folder: Option<PathBuf>) -> Result<(), Failure> {
    let Arguments { table, profile, command } = arguments;
    if profile.is_some() && table.is_none() {
        return Err("--profile is for a deployed table: name it with --table".into());
    }
    let target = match (table, folder) {
        (Some(_), Some(_)) => return Err("--table and --data exclude each other: pass one of them".into()),
        (Some(table), None) => Target::deployed(table, profile.as_deref()).await?,
        (None, folder) => Target::local(folder, matches!(command, Command::CreateCustomer { .. })).await?,
    };
    let output = commands::run(&target, command).await;
    target.close().await;
    // After the folder is closed: a caller that reads the output may use the folder at once.
    Ok(io::stdout().write_all(output?.as_bytes())?)
}
