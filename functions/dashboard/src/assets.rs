//! The stylesheet, the script and the icon.

use shared::envelope::{Asset, WebReply};
use std::sync::LazyLock;

static STYLE: LazyLock<Asset> = LazyLock::new(|| {
    Asset::new("/dashboard/assets/style.", "css", "text/css; charset=utf-8", include_str!("../assets/style.css"))
});
static SCRIPT: LazyLock<Asset> = LazyLock::new(|| {
    Asset::new("/dashboard/assets/script.", "js", "text/javascript; charset=utf-8", include_str!("../assets/script.js"))
});
static ICON: LazyLock<Asset> =
    LazyLock::new(|| Asset::new("/dashboard/assets/icon.", "svg", "image/svg+xml", include_str!("../assets/icon.svg")));

/// The address of the stylesheet.
pub(crate) fn style_path() -> &'static str {
    STYLE.path()
}

/// The address of the script.
pub(crate) fn script_path() -> &'static str {
    SCRIPT.path()
}

/// The address of the icon.
pub(crate) fn icon_path() -> &'static str {
    ICON.path()
}

/// The asset at an address.
pub(crate) fn find(path: &str) -> Option<WebReply> {
    [&STYLE, &SCRIPT, &ICON].into_iter().find_map(|asset| asset.at(path))
}
