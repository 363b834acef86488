//! Runs the redirect URI endpoints on Lambda.

fn main() -> Result<(), shared::app::StartError> {
    shared::lambda::start(redirect_uris::SECRETS, redirect_uris::handle)
}
