//! The program `gateway`: the local gateway (`cargo local`) and the operator's commands (`gateway admin --help`).

use std::io::{self, Write};
use std::process::ExitCode;
use tokio::runtime::Builder;

/// The stack of a thread. Without optimisation the future of a create that is resumed needs more than the default
/// of 2 MB, and the user need not set a variable for it.
const STACK_BYTES: usize = 16 * 1024 * 1024;

fn main() -> ExitCode {
    match Builder::new_multi_thread().enable_all().thread_stack_size(STACK_BYTES).build() {
        Ok(runtime) => runtime.block_on(gateway::cli::run()),
        Err(error) => {
            // `eprintln!` would panic when standard error is closed.
            let _ = writeln!(io::stderr(), "gateway: cannot start its threads: {error}");
            ExitCode::FAILURE
        }
    }
}
