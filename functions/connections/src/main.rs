//! Runs the connections endpoints on Lambda.

fn main() -> Result<(), shared::app::StartError> {
    shared::lambda::start(connections::SECRETS, connections::handle)
}
