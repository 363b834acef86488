//! The conversion pixel that every new campaign refers to: the ad account's first.

use super::api::{self, API};
use super::wire;
use crate::platforms::prelude::*;

/// The id of the pixel. Without one no campaign can be created.
pub(super) async fn pixel(session: &AccountSession) -> Result<String, Error> {
    let request = api::page_request(&api::of_account(&session.account.id, "pixels")?, 1, None);
    let response = Client::of(&API, session).read(request).await.map_err(errors::referenced_error)?;
    let page: wire::Page = read_object(Platform::Zeta, &response.body)?;
    let first = page.data.first().ok_or_else(no_pixel)?;
    let pixel: wire::Identified =
        serde_json::from_str(first.get()).map_err(|error| unreadable(Platform::Zeta, error))?;
    Ok(pixel.id)
}

fn no_pixel() -> Error {
    let message = "The ad account has no conversion pixel, which a new campaign needs: create one on Reddit.";
    let error =
        PlatformError { code: None, message: message.to_owned(), field: Some("conversion_pixel_id".to_owned()) };
    Error::new(Kind::PlatformRefused, message).on(Platform::Zeta).with_platform_error(error)
}
