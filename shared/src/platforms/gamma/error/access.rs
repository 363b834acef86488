//! Refusals of access. One code has several meanings (40001 has at least three), so the platform's message decides.

/// The step that a caller takes after a refusal of access.
pub(super) fn advice(code: i64, message: &str) -> &'static str {
    match code {
        _ if is_of_another_app(message) => {
            "TikTok issued this authorization to another app than the one that this service uses now: authorize the \
             account again. If that does not help, the operator of this service has to look into it."
        }
        _ if is_of_client(code) => "TikTok refuses this service itself; its operator has to look into it.",
        _ if is_deleted_advertiser(message) => {
            "This ad account was deleted at TikTok or never existed; a new authorization cannot help."
        }
        _ if lacks_app_permission(message) => {
            "TikTok does not allow this to the app of this service; its operator has to look into it."
        }
        _ => {
            "TikTok refuses access to this ad account: see there whether the user who authorized still has access, and \
             authorize again with all permissions."
        }
    }
}

/// Recognizes a refusal that only the operator of this service can end.
pub(super) fn is_for_operator(code: i64, message: &str) -> bool {
    let is_of_app = !is_deleted_advertiser(message) && lacks_app_permission(message);
    !is_of_another_app(message) && (is_of_client(code) || is_of_app)
}

/// Recognizes the codes about the app's id and secret.
fn is_of_client(code: i64) -> bool {
    matches!(code, 40_101 | 40_110 | 40_113 | 40_115)
}

/// Recognizes the refusal of one feature. The account, and so the connection, still works.
pub(super) fn is_allow_list(message: &str) -> bool {
    has_one_of(message, &["allowlist", "allow list", "allow-list", "whitelist", "white list"])
}

/// Recognizes a deleted advertiser: `advertiser 7… doesn't exist or has been deleted.`
pub(in crate::platforms::gamma) fn is_deleted_advertiser(message: &str) -> bool {
    has_one_of(message, &["advertiser"])
        && has_one_of(message, &["doesn't exist", "does not exist", "has been deleted"])
}

/// Recognizes a token of another app: `The app_id is inconsistent with the token's app information`. The app changed
/// after the account was authorized, or the settings of this service mix two apps.
pub(super) fn is_of_another_app(message: &str) -> bool {
    has_one_of(message, &["app_id", "app id"]) && has_one_of(message, &["inconsistent", "mismatch", "not match"])
}

/// Recognizes an app without a permission, which its operator has to request. The message of a missing scope names the
/// app too, but then the user has to authorize again.
fn lacks_app_permission(message: &str) -> bool {
    has_one_of(message, &["the app ", "this app ", "your app "])
        && has_one_of(message, &["permission"])
        && !has_one_of(message, &["scope", "advertiser", "token"])
}

fn has_one_of(message: &str, names: &[&str]) -> bool {
    let message = message.to_lowercase();
    names.iter().any(|name| message.contains(name))
}
