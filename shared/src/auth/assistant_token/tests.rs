use super::*;
use crate::vault::KeyRing;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;

fn vault(byte: u8) -> ReloadingVault {
    let ring = serde_json::json!({ "active": "k1", "keys": { "k1": STANDARD.encode([byte; 32]) } });
    ReloadingVault::fixed(&serde_json::from_value::<KeyRing>(ring).unwrap()).unwrap()
}

fn owner(customer: u128) -> TokenOwner {
    TokenOwner { customer: CustomerId(Uuid::from_u128(customer)), mode: Mode::Live }
}

fn key() -> KeyId {
    KeyId("key_0123456789ab".to_owned())
}

fn access() -> AccessToken {
    let expires_at = Timestamp::from_second(1_790_000_000).unwrap();
    AccessToken { owner: owner(7), key: key(), mark: "a".repeat(64), expires_at }
}

fn refresh() -> RefreshToken {
    RefreshToken { owner: owner(7), key: key(), mark: "a".repeat(64), generation: 3 }
}

fn code() -> ConsentCode {
    ConsentCode { owner: owner(7), key: key(), id: "c".repeat(32) }
}

async fn texts(vault: &ReloadingVault) -> [String; 3] {
    let texts = [code().seal(vault).await, access().seal(vault).await, refresh().seal(vault).await];
    texts.map(|text| text.unwrap().expose_secret().to_owned())
}

#[tokio::test]
async fn each_token_is_read_as_it_was_made() {
    let vault = vault(1);
    let [one, two, three] = texts(&vault).await;
    assert_eq!(ConsentCode::open(&vault, &one).await.unwrap(), Some(code()));
    assert_eq!(AccessToken::open(&vault, &two).await.unwrap(), Some(access()));
    assert_eq!(RefreshToken::open(&vault, &three).await.unwrap(), Some(refresh()));
    assert!(AccessToken::has_form(&two) && !AccessToken::has_form(&three) && !AccessToken::has_form("uat_live_"));
    assert!(two.len() < 260, "{}", two.len());
    assert!([&one, &two, &three].iter().all(|text| !text.contains(&key().0) && !text.contains("aaaa")));
}

#[tokio::test]
async fn no_token_stands_for_another_one() {
    let vault = vault(1);
    let texts = texts(&vault).await;
    let prefixes = ["uao_live_", "uat_live_", "uar_live_"];
    for (from, text) in prefixes.iter().zip(&texts) {
        for (index, to) in prefixes.iter().enumerate().filter(|(_, to)| *to != from) {
            let moved = text.replacen(from, to, 1);
            let is_read = match index {
                0 => ConsentCode::open(&vault, &moved).await.unwrap().is_some(),
                1 => AccessToken::open(&vault, &moved).await.unwrap().is_some(),
                _ => RefreshToken::open(&vault, &moved).await.unwrap().is_some(),
            };
            assert!(!is_read, "{from} as {to}");
        }
    }
}

#[tokio::test]
async fn an_altered_token_is_none() {
    let (vault, other) = (vault(1), vault(2));
    let [_, text, _] = texts(&vault).await;
    for index in 0..text.len() {
        let altered: String = text
            .chars()
            .enumerate()
            .map(|(at, c)| {
                if at != index {
                    c
                } else if c == 'A' {
                    'B'
                } else {
                    'A'
                }
            })
            .collect();
        let opened = AccessToken::open(&vault, &altered).await.unwrap();
        assert_eq!(opened, None, "character {index}");
    }
    let [mine, others] = [owner(7), owner(8)].map(|owner| owner.customer.0.simple().to_string());
    assert_eq!(AccessToken::open(&vault, &text.replace(&mine, &others)).await.unwrap(), None, "another customer");
    assert_eq!(
        AccessToken::open(&vault, &text.replace("_live_", "_test_")).await.unwrap(),
        None,
        "another environment"
    );
    assert_eq!(AccessToken::open(&other, &text).await.unwrap(), None, "another key ring");
}

#[test]
fn an_access_token_presents_its_mark_until_it_ends() {
    let token = access();
    let before = token.expires_at - SignedDuration::from_secs(1);
    let presented = token.presents(before).unwrap();
    assert_eq!((presented.hash, presented.is_of_assistant), ("a".repeat(64), true));
    assert_eq!(token.presents(token.expires_at), None);
}
