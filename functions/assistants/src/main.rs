//! Runs the token endpoints of assistants on Lambda.

fn main() -> Result<(), shared::app::StartError> {
    shared::lambda::start(assistants::SECRETS, assistants::handle)
}
