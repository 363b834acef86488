//! Runs the endpoint of agents on Lambda.

fn main() -> Result<(), shared::app::StartError> {
    shared::lambda::start(mcp::SECRETS, mcp::handle)
}
