//! Runs the billing endpoints on Lambda.

fn main() -> Result<(), shared::app::StartError> {
    shared::lambda::start(billing::SECRETS, billing::handle)
}
