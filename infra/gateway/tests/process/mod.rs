//! The `gateway` program: its output, its data folder, its signals, and its errors.

mod admin;
mod errors;
mod full_disk;
mod join;
mod lifecycle;
mod people;
mod privacy;
mod stack;
mod stored_data;

use crate::gateway_process::{gateway, wait};
use std::path::Path;
use std::process::Output;

/// Runs the program until it exits.
fn run(arguments: &[&str]) -> Output {
    let mut child = gateway(arguments).spawn().unwrap();
    wait(&mut child);
    child.wait_with_output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// Runs `gateway admin` on a folder; the command must succeed.
fn run_admin(folder: &Path, command: &[&str]) -> String {
    let output = run(&[&["admin", "--data", folder.to_str().unwrap()], command].concat());
    assert!(output.status.success(), "{command:?}: {}", text(&output.stderr));
    text(&output.stdout)
}

/// Creates a customer and returns its id.
fn create_customer(folder: &Path, email: &str) -> String {
    let output = run_admin(folder, &["create-customer", "--email", email, "--plan", "pro"]);
    output.lines().find_map(|line| line.strip_prefix("customer  ")).unwrap().to_owned()
}

/// Runs the program, which must fail with one line on standard error, and returns that line.
fn run_error(arguments: &[&str]) -> String {
    let output = run(arguments);
    let error = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{error}");
    assert_eq!(text(&output.stdout), "");
    assert!(error.starts_with("gateway: ") && error.lines().count() == 1 && !error.contains("panicked"), "{error}");
    error
}
