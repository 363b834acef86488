//! Runs the usage log endpoint on Lambda.

fn main() -> Result<(), shared::app::StartError> {
    shared::lambda::start(usage_logs::SECRETS, usage_logs::handle)
}
