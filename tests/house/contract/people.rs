//! The people of a customer on every available engine.

use super::Engines;
use futures_util::future::join;
use jiff::Timestamp;
use shared::clock::Clock;
use shared::domain::{CustomerId, Invitation, Person, PersonId, Role, SavedView, Session, TeamRefusal};
use shared::store::{Acceptance, Offer, Store};
use uuid::Uuid;

/// A person with a name of their own in this test.
fn id(name: &str) -> PersonId {
    PersonId(format!("{name}-{}", Uuid::new_v4()))
}

fn session(person: &PersonId, now: Timestamp) -> Session {
    Session::new(Uuid::new_v4().to_string(), person.clone(), None, None, "Browser", now)
}

async fn join_as(store: &Store, customer: CustomerId, person: &PersonId, role: Role) {
    let now = Clock::system().now();
    store.link_person(&Person::new(person.clone(), None, role, now), customer).await.expect("a person");
}

async fn owners(store: &Store, customer: CustomerId) -> Vec<PersonId> {
    let people = store.people(customer).await.expect("the people");
    people.into_iter().filter(Person::is_owner).map(|person| person.id).collect()
}

#[tokio::test]
async fn a_removal_ends_the_sessions_with_the_person() {
    for (engine, store) in Engines::start().await.stores {
        let (customer, now) = (CustomerId(Uuid::new_v4()), Clock::system().now());
        let (ada, bob) = (id("ada"), id("bob"));
        join_as(&store, customer, &ada, Role::Owner).await;
        join_as(&store, customer, &bob, Role::Member).await;
        for person in [&ada, &bob, &bob] {
            assert!(store.begin_session(customer, &session(person, now)).await.expect("a session"), "{engine}");
        }
        assert_eq!(
            store.remove_member(customer, &bob, &ada, now).await.expect("an answer"),
            Err(TeamRefusal::OwnersOnly)
        );
        assert_eq!(store.remove_member(customer, &ada, &bob, now).await.expect("an answer"), Ok(()), "{engine}");
        let left = store.sessions(customer, None, now).await.expect("the sessions");
        assert!(left.len() == 1 && left[0].person == ada, "{engine}: {left:?}");
        assert_eq!(store.customer_of(&bob).await.expect("an answer"), None, "{engine}");
        assert!(!store.begin_session(customer, &session(&bob, now)).await.expect("an answer"), "{engine}");
        let again = store.remove_member(customer, &ada, &bob, now).await.expect("an answer");
        assert_eq!(again, Err(TeamRefusal::PersonUnknown), "{engine}");
    }
}

#[tokio::test]
async fn ending_sessions_is_not_bounded_by_one_transaction() {
    for (engine, store) in Engines::start().await.stores {
        let (customer, now) = (CustomerId(Uuid::new_v4()), Clock::system().now());
        let (ada, bob) = (id("ada"), id("bob"));
        join_as(&store, customer, &ada, Role::Owner).await;
        join_as(&store, customer, &bob, Role::Member).await;
        for _ in 0..101 {
            store.begin_session(customer, &session(&bob, now)).await.expect("a session");
        }
        assert_eq!(store.remove_member(customer, &ada, &bob, now).await.expect("an answer"), Ok(()), "{engine}");
        assert!(store.sessions(customer, None, now).await.expect("the sessions").is_empty(), "{engine}");
    }
}

#[tokio::test]
async fn concurrent_demotions_keep_one_owner() {
    for (engine, store) in Engines::start().await.stores {
        let customer = CustomerId(Uuid::new_v4());
        let (ada, bob) = (id("ada"), id("bob"));
        for person in [&ada, &bob] {
            join_as(&store, customer, person, Role::Owner).await;
        }
        let demote = |asker, person| store.set_role(customer, asker, person, Role::Member);
        let (one, two) = join(demote(&ada, &bob), demote(&bob, &ada)).await;
        let refused = [one.expect("an answer"), two.expect("an answer")].into_iter().filter(Result::is_err).count();
        assert_eq!((owners(&store, customer).await.len(), refused), (1, 1), "{engine}");
    }
}

#[tokio::test]
async fn without_roles_the_oldest_person_is_the_owner() {
    let engines = Engines::start().await;
    let (engine, store) = &engines.stores[0];
    let customer = CustomerId(Uuid::new_v4());
    let people = [id("ada"), id("bob"), id("cyd")];
    for person in &people {
        join_as(store, customer, person, Role::Member).await;
    }
    let config = &engines.world.gateway.config;
    let client = config.aws.dynamodb_client();
    for person in &people {
        let update = client.update_item().table_name(&config.table);
        let update = update.set_key(Some(shared::store::table_keys::person_of(customer, person).attributes()));
        update.update_expression("REMOVE member_role").send().await.expect("a write");
    }
    let [ada, bob, cyd] = &people;
    assert_eq!(owners(store, customer).await, std::slice::from_ref(ada), "{engine}");
    let refused = store.set_role(customer, bob, cyd, Role::Owner).await.expect("an answer");
    assert_eq!(refused, Err(TeamRefusal::OwnersOnly), "{engine}");
    assert_eq!(store.set_role(customer, ada, cyd, Role::Owner).await.expect("an answer"), Ok(()), "{engine}");
    assert_eq!(owners(store, customer).await, [ada.clone(), cyd.clone()], "{engine}");
    let now = Clock::system().now();
    assert_eq!(store.remove_member(customer, cyd, bob, now).await.expect("an answer"), Ok(()), "{engine}");
}

#[tokio::test]
async fn views_are_saved_where_they_are_those_that_were_read() {
    for (engine, store) in Engines::start().await.stores {
        let (customer, now) = (CustomerId(Uuid::new_v4()), Clock::system().now());
        let ada = id("ada");
        join_as(&store, customer, &ada, Role::Viewer).await;
        let known = async || store.people(customer).await.expect("the people").pop().expect("a person");
        let view = |name: &str| SavedView { name: name.to_owned(), query: "status=PAUSED".to_owned() };
        let (none, one, two) = (known().await, [view("a")], [view("a"), view("b")]);
        let save = async |known: &Person, views: &[SavedView]| {
            store.set_views(customer, known, views).await.expect("an answer")
        };
        assert_eq!((save(&none, &one).await, save(&none, &two).await), (true, false), "{engine}");
        let first = known().await;
        assert_eq!((first.views.as_slice(), first.role), (&one[..], Role::Owner), "{engine}");
        assert_eq!((save(&first, &two).await, save(&first, &[]).await), (true, false), "{engine}");
        assert!(store.begin_session(customer, &session(&ada, now)).await.expect("a session"), "{engine}");
        assert_eq!(known().await.views, two, "{engine}: a sign-in keeps them");
        assert!(save(&known().await, &[]).await && known().await.views.is_empty(), "{engine}");
        let stranger = Person::new(id("bob"), None, Role::Member, now);
        assert!(!save(&stranger, &one).await, "{engine}");
    }
}

#[tokio::test]
async fn an_ended_invitation_is_not_recreated() {
    for (engine, store) in Engines::start().await.stores {
        let (customer, now) = (CustomerId(Uuid::new_v4()), Clock::system().now());
        let (ada, bob) = (id("ada"), id("bob"));
        let hash = Uuid::new_v4().to_string();
        let invitee = Some("Bob".to_owned());
        let invitation = Invitation { hash: hash.clone(), created_at: now, inviter: None, role: Role::Member, invitee };
        let offer = async || store.offer_invitation(customer, &invitation, &ada).await.expect("an answer");
        assert_eq!(offer().await, Offer::InviterGone, "{engine}");
        join_as(&store, customer, &ada, Role::Owner).await;
        assert_eq!((offer().await, offer().await), (Offer::Open, Offer::Open), "{engine}");
        let open = store.invitations(customer, now).await.expect("the invitations");
        assert_eq!(open, std::slice::from_ref(&invitation), "{engine}");
        let person = Person::new(bob.clone(), None, Role::Member, now);
        let accepted = store.accept_invitation(&hash, customer, &person, &session(&bob, now)).await;
        assert_eq!(accepted.expect("an answer"), Acceptance::Accepted, "{engine}");
        assert_eq!(offer().await, Offer::Ended, "{engine}");
        assert!(!store.withdraw_invitation(customer, &hash, now).await.expect("an answer"), "{engine}");
        let third = Person::new(id("cyd"), None, Role::Member, now);
        let used = store.accept_invitation(&hash, customer, &third, &session(&third.id, now)).await;
        assert_eq!(used.expect("an answer"), Acceptance::InvitationEnded, "{engine}");
    }
}

#[tokio::test]
async fn a_viewer_invites_nobody_and_every_role_leads_to_every_other() {
    for (engine, store) in Engines::start().await.stores {
        let (customer, now) = (CustomerId(Uuid::new_v4()), Clock::system().now());
        let (ada, bob) = (id("ada"), id("bob"));
        join_as(&store, customer, &ada, Role::Owner).await;
        join_as(&store, customer, &bob, Role::Viewer).await;
        let role = async || store.people(customer).await.expect("the people").pop().expect("a person").role;
        let offer = async |hash: &str| {
            let (hash, role) = (hash.to_owned(), Role::Viewer);
            let invitation = Invitation { hash, created_at: now, inviter: None, role, invitee: None };
            store.offer_invitation(customer, &invitation, &bob).await.expect("an answer")
        };
        assert_eq!((role().await, offer("1").await), (Role::Viewer, Offer::InviterGone), "{engine}");
        use Role::{Member, Owner, Viewer};
        for next in [Member, Owner, Viewer, Owner, Member, Viewer, Member] {
            let changed = store.set_role(customer, &ada, &bob, next).await.expect("an answer");
            assert_eq!((changed, role().await), (Ok(()), next), "{engine}");
        }
        assert_eq!(offer("2").await, Offer::Open, "{engine}");
        let made = store.invitation(customer, "2", now).await.expect("an answer").expect("an invitation");
        assert_eq!(made.role, Role::Viewer, "{engine}");
        store.set_role(customer, &ada, &bob, Viewer).await.expect("an answer").expect("a change");
        let refused = store.remove_member(customer, &bob, &ada, now).await.expect("an answer");
        assert_eq!(refused, Err(TeamRefusal::OwnersOnly), "{engine}");
        assert_eq!(store.remove_member(customer, &bob, &bob, now).await.expect("an answer"), Ok(()), "{engine}");
    }
}
