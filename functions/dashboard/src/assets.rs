//! The stylesheet, the script and the icon, compiled in. Their addresses contain a digest, so browsers may keep them
//! for ever.

use shared::digest::sha256_hex;
use shared::envelope::WebReply;
use std::sync::LazyLock;

const STYLE: &str = include_str!("../assets/style.css");
const SCRIPT: &str = include_str!("../assets/script.js");
const ICON: &str = include_str!("../assets/icon.svg");

static STYLE_PATH: LazyLock<String> = LazyLock::new(|| address("style", STYLE, "css"));
static SCRIPT_PATH: LazyLock<String> = LazyLock::new(|| address("script", SCRIPT, "js"));
static ICON_PATH: LazyLock<String> = LazyLock::new(|| address("icon", ICON, "svg"));

/// The address of the stylesheet.
pub(crate) fn style_path() -> &'static str {
    &STYLE_PATH
}

/// The address of the script.
pub(crate) fn script_path() -> &'static str {
    &SCRIPT_PATH
}

/// The address of the icon.
pub(crate) fn icon_path() -> &'static str {
    &ICON_PATH
}

/// The asset at an address.
pub(crate) fn find(path: &str) -> Option<WebReply> {
    if path == style_path() {
        return Some(WebReply::asset("text/css; charset=utf-8", STYLE));
    }
    if path == script_path() {
        return Some(WebReply::asset("text/javascript; charset=utf-8", SCRIPT));
    }
    (path == icon_path()).then(|| WebReply::asset("image/svg+xml", ICON))
}

fn address(name: &str, content: &str, extension: &str) -> String {
    format!("/dashboard/assets/{name}.{}.{extension}", &sha256_hex(content)[..16])
}
