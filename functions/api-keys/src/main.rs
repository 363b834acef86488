//! Runs the API key endpoints on Lambda.

fn main() -> Result<(), shared::app::StartError> {
    shared::lambda::start(api_keys::SECRETS, api_keys::handle)
}
