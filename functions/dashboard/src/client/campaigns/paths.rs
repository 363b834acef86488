//! The paths of campaigns in the API.

use crate::kit::text::path_segment;

/// All campaigns.
pub(super) const CAMPAIGNS: &str = "/v1/campaigns";

/// A campaign.
pub(crate) fn path(id: &str) -> String {
    format!("{CAMPAIGNS}/{}", path_segment(id))
}
