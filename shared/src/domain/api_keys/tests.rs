//! Tests of the rules for keys.

use super::*;

fn time(second: i64) -> Timestamp {
    Timestamp::from_second(second).unwrap()
}

fn key(id: &str, scopes: &[Scope], expires_at: Option<i64>) -> ApiKeyInfo {
    let (hash, prefix) = (format!("hash of {id}"), "uac_test_".to_owned());
    ApiKeyInfo {
        scopes: scopes.iter().copied().collect(),
        expires_at: expires_at.map(time),
        last_used_at: Some(time(11)),
        ..ApiKeyInfo::unlimited(KeyId(id.to_owned()), id, hash, prefix, time(10))
    }
}

/// The default key and others.
fn keys(others: &[ApiKeyInfo]) -> ApiKeys {
    let default = ApiKeys::default_alone("first", "uac_test_", time(1));
    others.iter().fold(default, |keys, key| keys.with(key.clone()).unwrap())
}

fn named<'a>(keys: &'a ApiKeys, id: &str) -> &'a ApiKeyInfo {
    keys.all().iter().find(|key| key.id.0 == id).unwrap()
}

fn ids(keys: &ApiKeys) -> Vec<&str> {
    keys.all().iter().map(|key| key.id.0.as_str()).collect()
}

#[test]
fn a_key_is_invalid_from_its_expiry_on() {
    let keys = keys(&[key("a", &[Scope::Read], Some(100))]);
    assert!(keys.find("hash of a", time(99)).is_some());
    assert!(keys.find("hash of a", time(100)).is_none());
    assert!(keys.find("first", time(100)).is_some_and(|key| key.scopes.len() == 3));
    assert!(keys.find("hash of b", time(99)).is_none());
}

#[test]
fn reading_and_writing_together_give_the_scope_of_campaigns() {
    let lacks = |own: &[Scope], given: &[Scope]| key("a", own, None).lacks(&given.iter().copied().collect());
    for own in [&Scope::FULL[..], &[Scope::Read, Scope::Write], &[Scope::Campaigns]] {
        assert_eq!(lacks(own, &[Scope::Campaigns]), None, "{own:?}");
    }
    for own in [&[Scope::Read, Scope::Billing][..], &[Scope::Write]] {
        assert_eq!(lacks(own, &[Scope::Campaigns]), Some(Scope::Campaigns), "{own:?}");
    }
    assert_eq!(lacks(&[Scope::Campaigns], &[Scope::Campaigns, Scope::Read]), Some(Scope::Read));
}

#[test]
fn a_key_that_writes_gives_the_scope_of_approvals_and_has_it_not() {
    let lacks = |own: &[Scope]| key("a", own, None).lacks(&[Scope::Approve].into());
    for own in [&Scope::FULL[..], &[Scope::Write], &[Scope::Approve]] {
        assert_eq!(lacks(own), None, "{own:?}");
    }
    for own in [&[Scope::Read, Scope::Billing][..], &[Scope::Campaigns]] {
        assert_eq!(lacks(own), Some(Scope::Approve), "{own:?}");
    }
    assert!(!Scope::FULL.contains(&Scope::Approve), "it is in no default");
}

#[test]
fn a_sixth_key_has_no_place_even_beside_expired_ones() {
    let four: Vec<_> = ["a", "b", "c", "d"].map(|id| key(id, &[Scope::Read], Some(5))).into();
    assert_eq!(keys(&four).with(key("e", &[Scope::Read], None)), None);
    assert_eq!(ids(&keys(&four[..1])), ["a", "key_default"], "newest first");
}

#[test]
fn the_last_valid_key_with_write_is_not_removed() {
    let others = [key("expired", &[Scope::Write], Some(20)), key("reader", &[Scope::Read], None)];
    let keys = keys(&others);
    assert_eq!(keys.without("key_default", time(20)), Err(RemovalError::LastWriter));
    assert!(keys.without("key_default", time(19)).is_ok(), "the other one is valid still");
    assert_eq!(ids(&keys.without("expired", time(20)).unwrap()), ["reader", "key_default"]);
    assert_eq!(keys.without("unknown", time(20)), Err(RemovalError::NotFound));
}

#[test]
fn an_update_changes_name_and_scopes_and_keeps_the_secret() {
    let before = keys(&[key("a", &[Scope::Read], Some(100))]);
    let known = named(&before, "a");
    let updated = ApiKeyInfo { name: "b".to_owned(), scopes: [Scope::Campaigns].into(), ..known.clone() };
    let after = before.updated(&updated, time(50)).unwrap();
    assert_eq!(after.find("hash of a", time(50)), Some(&updated));
    assert_eq!((ids(&after), named(&after, "key_default")), (ids(&before), named(&before, "key_default")));
}

#[test]
fn the_last_valid_key_with_write_keeps_it() {
    let read_only = |key: &ApiKeyInfo| ApiKeyInfo { scopes: [Scope::Read].into(), ..key.clone() };
    let keys = keys(&[key("expired", &[Scope::Write], Some(20)), key("reader", &[Scope::Read], None)]);
    let default = named(&keys, "key_default");
    assert_eq!(keys.updated(&read_only(default), time(20)), Err(UpdateError::LastWriter));
    let renamed = ApiKeyInfo { name: "b".to_owned(), ..default.clone() };
    assert!(keys.updated(&renamed, time(20)).is_ok());
    let changed = keys.updated(&read_only(default), time(19)).unwrap();
    // Nobody can write from second 20 on, and a person still changes names.
    let renamed = ApiKeyInfo { name: "b".to_owned(), ..named(&changed, "reader").clone() };
    assert!(changed.updated(&renamed, time(20)).is_ok());
}

#[test]
fn a_stopped_key_is_invalid_until_it_is_resumed() {
    let before = keys(&[key("a", &[Scope::Write], Some(100))]);
    let id = KeyId("a".to_owned());
    let stopped = before.stopped(&id, Some(time(50)));
    assert!(stopped.find("hash of a", time(60)).is_none() && stopped.find("first", time(60)).is_some());
    let told = |keys: &ApiKeys, hash: &str, now| keys.stopped_at(hash, time(now));
    assert_eq!(told(&stopped, "hash of a", 60), Some(time(50)));
    assert_eq!(told(&stopped, "hash of a", 100), None, "it is expired as well");
    assert_eq!((told(&stopped, "first", 60), told(&stopped, "other", 60)), (None, None));
    assert_eq!(named(&stopped.rotated(&id, "new", &"uac_test_".into(), time(60)), "a").stopped_at, Some(time(50)));
    assert_eq!(stopped.stopped(&id, None), before);
}

#[test]
fn a_stopped_key_is_no_writer_and_the_last_one_may_be_stopped() {
    let stopped = keys(&[key("a", &[Scope::Write], None)]).stopped(&KeyId("a".to_owned()), Some(time(50)));
    assert_eq!(stopped.without("key_default", time(60)), Err(RemovalError::LastWriter));
    let none = stopped.stopped(&KeyId::default_key(), Some(time(60)));
    assert_eq!(ids(&none.without("a", time(60)).unwrap()), ["key_default"], "there is no writer to keep");
}

#[test]
fn a_rotation_keeps_name_scopes_expiry_and_the_other_keys() {
    let before = keys(&[key("a", &[Scope::Read], Some(100))]);
    let after = before.rotated(&KeyId("a".to_owned()), "new", &"uac_test_0".into(), time(50));
    let rotated = after.find("new", time(50)).unwrap();
    assert_eq!((rotated.name.as_str(), rotated.scopes.len(), rotated.expires_at), ("a", 1, Some(time(100))));
    assert_eq!((rotated.created_at, rotated.last_used_at), (time(50), None));
    assert!(after.find("hash of a", time(50)).is_none());
}

#[test]
fn a_key_that_is_bound_to_a_user_stays_bound_and_is_no_writer() {
    let bound = ApiKeyInfo { external_ref: ExternalRef::parse("shop42"), ..key("a", &[Scope::Write], None) };
    let before = keys(&[bound]);
    assert_eq!(before.without("key_default", time(20)), Err(RemovalError::LastWriter));
    let after = before.rotated(&KeyId("a".to_owned()), "new", &"uac_test_0".into(), time(50));
    assert_eq!(after.find("new", time(50)).unwrap().external_ref, ExternalRef::parse("shop42"));
}

#[test]
fn a_bound_key_is_removed_although_no_other_one_can_write() {
    let bound = ApiKeyInfo { external_ref: ExternalRef::parse("shop42"), ..key("a", &[Scope::Write], None) };
    let before = keys(&[bound.clone(), key("b", &[Scope::Read], None)]).stopped(&KeyId::default_key(), Some(time(10)));
    assert_eq!(ids(&before.without_bound(std::slice::from_ref(&bound))), ["b", "key_default"]);
    let alone = ApiKeys::new(vec![bound.clone()]);
    assert_eq!(ids(&alone.without_bound(&[bound])), [""; 0], "a person makes the next one");
    let unbound = named(&before, "b").clone();
    assert_eq!(before.without_bound(&[unbound]), before);
}
