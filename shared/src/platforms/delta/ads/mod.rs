//! The ads of campaigns, and what the platform holds against them.

use crate::platforms::prelude::*;

/// Reads the ads of campaigns.
pub(super) async fn read(_: &AccountSession, request: AdsRequest<'_>) -> Result<AdsReport, Error> {
    Ok(AdsReport::unread(request, Vec::new(), AdsUnread::NotOffered))
}
