mod calls;
pub(super) mod support;

use self::support::session;
use super::*;
use crate::platforms::adapter;
use crate::platforms::config::{self, PlatformConfig};
use crate::platforms::fake::Fake;
use crate::platforms::oauth::AuthorizeRequest;
use crate::platforms::revocation::RevokedGrant;
use crate::platforms::settings::Settings;

#[test]
fn the_consent_page_gets_its_scopes_with_commas_and_no_challenge() {
    let client = config::Client { client_id: "id".into(), client_secret: "secret".into(), developer_token: None };
    let config = PlatformConfig::new(Platform::Epsilon, client, Settings::default(), None);
    let (state, verifier) = ("state".into(), "v".repeat(43).into());
    let request = AuthorizeRequest { redirect_uri: "https://us.example/callback", state: &state, verifier: &verifier };
    let url = url::Url::parse(&Epsilon.authorize_url(&config, &request).unwrap()).unwrap();
    assert_eq!((url.host_str(), url.path()), (Some("www.pinterest.com"), "/oauth/"));
    let parameter = |name: &str| url.query_pairs().find(|(key, _)| key == name).map(|(_, value)| value.into_owned());
    assert_eq!(parameter("scope").as_deref(), Some("ads:read,ads:write,user_accounts:read"));
    assert_eq!(parameter("response_type").as_deref(), Some("code"));
    assert_eq!((parameter("state").as_deref(), parameter("client_id").as_deref()), (Some("state"), Some("id")));
    assert_eq!((parameter("code_challenge"), parameter("client_secret")), (None, None));
}

#[test]
fn the_registry_knows_the_adapter_by_its_platform() {
    let found = adapter(Platform::Epsilon);
    assert_eq!(found.facts().capabilities.platform, Platform::Epsilon);
}

#[tokio::test]
async fn nothing_is_sent_to_end_a_grant() {
    let fake = Fake::answering(vec![]);
    let grant = RevokedGrant { access_token: "pina_x".into(), refresh_token: Some("pinr.x".into()) };
    Epsilon.revoke(&session(&fake).call, &grant).await.unwrap();
    assert_eq!(fake.requests().len(), 0);
}
