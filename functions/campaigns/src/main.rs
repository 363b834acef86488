//! Runs the campaigns endpoints on Lambda.

fn main() -> Result<(), shared::app::StartError> {
    shared::lambda::start(campaigns::SECRETS, campaigns::handle)
}
