//! Runs the dashboard on Lambda.

fn main() -> Result<(), shared::app::StartError> {
    shared::lambda::start(dashboard::SECRETS, dashboard::handle)
}
