//! Valid and invalid tokens.

use super::{Session, on_each_platform};
use crate::oauth_client::Renewal;
use serde_json::json;
use std::time::Duration;
use tokio::time::sleep;

#[tokio::test(start_paused = true)]
async fn an_unknown_and_an_expired_token_are_refused_in_the_platforms_words() {
    on_each_platform(|session| async move {
        let (oauth, words) = (&session.sample.oauth, &session.sample.words);
        // While other tokens are valid: some platforms have the same words for an expired one.
        let unknown = Session { access: "never".to_owned(), ..session };
        assert_eq!(unknown.refusal(&unknown.list()).await, words.unknown_token);
        assert_eq!(unknown.refusal(&(unknown.sample.create)(unknown.account(), "Sale")).await, words.unknown_token);
        assert!(unknown.books().await.is_empty());
        unknown.set("settings", json!({ "access_token_ttl_s": 60 })).await;
        let (access, _) = oauth.connect(&unknown.server).await;
        let short = Session { access, ..unknown };
        short.accept(&short.list()).await;
        sleep(Duration::from_secs(59)).await;
        short.accept(&short.list()).await;
        sleep(Duration::from_secs(1)).await;
        assert_eq!(short.refusal(&short.list()).await, words.expired_token);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_renewal_gives_another_token_and_leaves_the_grant_alone() {
    on_each_platform(|session| async move {
        if session.sample.oauth.renewal == Renewal::Nothing {
            return;
        }
        let response = session.sample.oauth.refresh(&session.server, &session.renewal).await;
        let (access, _) = session.sample.oauth.tokens(&response);
        assert_ne!(access, session.access);
        session.accept(&session.list()).await;
        let renewed = Session { access, ..session };
        renewed.accept(&renewed.list()).await;
        let never = renewed.sample.oauth.refresh(&renewed.server, "never").await;
        assert_ne!(renewed.words(&never), "");
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_revocation_ends_one_grant() {
    on_each_platform(|session| async move {
        let (oauth, words) = (&session.sample.oauth, &session.sample.words);
        let (other, _) = oauth.connect(&session.server).await;
        // The refresh token stands for the grant, where there is one.
        let token = if oauth.renewal == Renewal::RefreshToken { &session.renewal } else { &session.access };
        let response = oauth.revoke(&session.server, token).await;
        if !words.revocation.is_empty() {
            assert_eq!(session.words(&response), words.revocation);
            session.accept(&session.list()).await;
            return;
        }
        assert_eq!(session.words(&response), "");
        assert_eq!(session.refusal(&session.list()).await, words.revoked_token);
        if oauth.renewal != Renewal::Nothing {
            let response = oauth.refresh(&session.server, &session.renewal).await;
            assert_eq!(session.words(&response), words.dead_renewal);
        }
        let other = Session { access: other, ..session };
        other.accept(&other.list()).await;
    })
    .await;
}
