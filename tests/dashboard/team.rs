//! The people of an account: invitation, roles, removal, and attacks on them.

use super::browser::{Browser, ORIGIN, SESSION, Site};
use crate::assistants;
use crate::in_process::{json_of, respond};
use http::StatusCode;
use lambda_http::Body;
use shared::auth::CustomerToken;
use shared::domain::{CustomerId, Person, PersonId, Role, Scope};
use tokio::time::{Duration, advance};

pub(super) const ADA: &str = "ada@example.com";
pub(super) const BOB: &str = "bob@example.com";
pub(super) const SETTINGS: &str = "/dashboard/settings";
pub(super) const INVITE: &str = "/dashboard/settings/people/invite";
const WITHDRAW: &str = "/dashboard/settings/people/withdraw";
pub(super) const REMOVE: &str = "/dashboard/settings/people/remove";
pub(super) const ROLE: &str = "/dashboard/settings/people/role";

/// The link that a page shows.
pub(super) fn shown_link(page: &str) -> Option<&str> {
    let link = page.split("<code id=\"secret\">").nth(1)?.split('<').next()?;
    link.strip_prefix(ORIGIN)
}

impl<'a> Browser<'a> {
    /// Makes an invitation of a member, if the form names no other role; returns the path of its link.
    pub(super) async fn invite(&mut self, form: &str) -> String {
        let role = if form.contains("role=") { "" } else { "&role=MEMBER" };
        let page = self.submit(INVITE, &format!("idempotency_key={form}{role}")).await;
        shown_link(&page).unwrap_or_else(|| panic!("no link in {page}")).to_owned()
    }

    /// A browser of a person who joins by an invitation.
    pub(super) async fn with_member(&mut self, email: &str) -> Browser<'a> {
        self.with_person(email, email).await
    }

    /// The same as a viewer.
    pub(super) async fn with_viewer(&mut self, email: &str) -> Browser<'a> {
        self.with_person(email, &format!("{email}&role=VIEWER")).await
    }

    async fn with_person(&mut self, email: &str, form: &str) -> Browser<'a> {
        let link = self.invite(form).await;
        // The people are listed in the order in which they joined.
        advance(Duration::from_secs(1)).await;
        let mut browser = self.site.browser();
        assert_eq!(browser.sign_in_from(&link, email).await.to(), "/dashboard");
        browser
    }

    /// The form that names a person.
    pub(super) async fn naming(&self, email: &str) -> String {
        format!("id={}", self.person(email).await.id.0)
    }

    pub(super) async fn person(&self, email: &str) -> Person {
        let people = self.people().await;
        people.into_iter().find(|person| person.email.as_deref() == Some(email)).expect("a person")
    }

    pub(super) async fn people(&self) -> Vec<Person> {
        self.site.app.store.people(self.customer()).await.expect("a store")
    }

    pub(super) async fn owners(&self) -> Vec<String> {
        let owners = self.people().await.into_iter().filter(Person::is_owner);
        owners.map(|owner| owner.email.expect("an address")).collect()
    }
}

#[tokio::test(start_paused = true)]
async fn a_person_is_invited_by_a_link_and_joins_as_a_member() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let link = ada.invite("1").await;
    let page = ada.get(SETTINGS).await.text;
    assert!(shown_link(&page).is_none() && page.contains("Withdraw"), "the link is shown once: {page}");
    assert!(page.contains("value=\"VIEWER\" checked") && !page.contains("value=\"MEMBER\" checked"), "{page}");
    let mut bob = site.browser();
    assert_eq!(bob.sign_in_from(&link, BOB).await.to(), "/dashboard");
    assert_eq!((bob.customer(), bob.person(BOB).await.role), (ada.customer(), Role::Member));
    assert_eq!(ada.owners().await, [ADA]);
    let mut eve = site.browser();
    let refused = eve.sign_in_from(&link, "eve@example.com").await;
    assert!(refused.status == StatusCode::CONFLICT && !eve.cookies.contains_key(SESSION), "used twice");
    for (browser, own, other) in [(&mut ada, ADA, BOB), (&mut bob, BOB, ADA)] {
        let page = browser.get(SETTINGS).await.text;
        assert!(
            page.contains(&format!("</span><bdi title=\"{own}\">{own}</bdi></summary>")),
            "the header has one's own address: {page}"
        );
        assert!(page.contains(&format!("<bdi>{own}</bdi> <strong>(you)</strong>")), "{page}");
        assert!(page.contains(other) && page.contains("No invitation is open."), "{page}");
    }
    // A later sign-in asks for nothing else.
    assert_eq!(site.signed_in(BOB).await.customer(), ada.customer());
}

#[tokio::test(start_paused = true)]
async fn an_invitation_says_for_whom_it_is_and_until_when_it_works() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let made = ada.submit(INVITE, "idempotency_key=1&role=VIEWER&invitee=%3Cb%3EBob%3C%2Fb%3E").await;
    assert!(made.contains(", a viewer, is made. Its link works until <time datetime="), "{made}");
    assert!(made.contains("<td data-label=\"For\"><bdi>&#60;b&#62;Bob&#60;/b&#62;</bdi></td>"), "{made}");
    let link = shown_link(&made).expect("a link").to_owned();
    assert!(!site.browser().get(&link).await.text.contains("Bob"), "it is for those who invite");
    let refused = ada.submit(INVITE, "idempotency_key=2&invitee=Cyd").await;
    assert!(
        refused.contains("Choose one of them") && refused.contains("name=\"invitee\" maxlength=\"100\""),
        "{refused}"
    );
    assert!(refused.contains("value=\"Cyd\""), "what was typed stays: {refused}");
    let long = ada.submit(INVITE, &format!("idempotency_key=3&role=VIEWER&invitee={}", "x".repeat(101))).await;
    assert!(long.contains("at most 100 characters"), "{long}");
    assert_eq!(site.app.store.invitations(ada.customer(), site.app.clock.now()).await.expect("a store").len(), 1);
}

#[tokio::test(start_paused = true)]
async fn an_invitation_is_withdrawn_by_any_member_and_by_nobody_else() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let mut bob = ada.with_member(BOB).await;
    let mut eve = site.signed_in("eve@example.com").await;
    let link = ada.invite("1").await;
    let token = link.split_once('=').expect("a token").1;
    let hash = CustomerToken::parse(token).expect("a token").hash();
    let form = format!("id={hash}");
    eve.submit(WITHDRAW, &form).await;
    assert!(site.browser().get(&link).await.status == StatusCode::OK, "another account withdraws nothing");
    let page = bob.submit(WITHDRAW, &form).await;
    assert!(page.contains("The invitation is withdrawn"), "{page}");
    assert_eq!(site.browser().get(&link).await.status, StatusCode::CONFLICT);
    assert_eq!(site.browser().sign_in_from(&link, "cyd@example.com").await.status, StatusCode::CONFLICT);
    let again = bob.submit(WITHDRAW, &form).await;
    assert!(again.contains("not open any more"), "{again}");
    let revived = ada.submit(INVITE, "idempotency_key=1&role=MEMBER").await;
    assert!(revived.contains("has ended") && shown_link(&revived).is_none(), "the same form: {revived}");
    assert_eq!(site.browser().get(&link).await.status, StatusCode::CONFLICT);
}

#[tokio::test(start_paused = true)]
async fn a_form_creates_one_invitation_and_there_are_at_most_twenty() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    assert_eq!(ada.invite("1").await, ada.invite("1").await);
    for form in 2..=20 {
        ada.invite(&form.to_string()).await;
    }
    let refused = ada.submit(INVITE, "idempotency_key=21&role=MEMBER").await;
    assert!(refused.contains("20 invitations are open"), "{refused}");
    let open = site.app.store.invitations(ada.customer(), site.app.clock.now()).await.expect("a store");
    assert_eq!(open.len(), 20);
}

#[tokio::test(start_paused = true)]
async fn a_customer_has_at_most_fifty_people_on_one_page() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    for at in 1..50 {
        let id = PersonId::of("https://id.example", &at.to_string());
        let email = format!("a-long-address-{at}@example.com");
        let person = Person::new(id, Some(email), Role::Member, site.app.clock.now());
        site.app.store.link_person(&person, ada.customer()).await.expect("a person");
    }
    let page = ada.get(SETTINGS).await.text;
    assert!(page.len() < 60_000 && page.contains("a-long-address-49@"), "{} bytes", page.len());
    let refused = ada.submit(INVITE, "idempotency_key=1&role=MEMBER").await;
    assert!(refused.contains("This account has 50 people"), "{refused}");
}

#[tokio::test(start_paused = true)]
async fn a_member_can_neither_remove_an_owner_nor_change_a_role() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let mut bob = ada.with_member(BOB).await;
    ada.with_member("cyd@example.com").await;
    let (owner, own) = (bob.naming(ADA).await, bob.naming(BOB).await);
    let page = bob.get(SETTINGS).await.text;
    assert!(!page.contains(ROLE) && !page.contains(&owner.replace("id=", "value=\"")), "{page}");
    for (path, form) in [
        (REMOVE, owner.clone()),
        (ROLE, format!("{owner}&role=MEMBER")),
        (ROLE, format!("{own}&role=OWNER")),
        (ROLE, format!("{own}&role=owner")),
        (ROLE, own.clone()),
        (REMOVE, "id=".to_owned()),
        (REMOVE, String::new()),
    ] {
        let refused = bob.submit(path, &form).await;
        assert!(refused.contains("notice outcome bad"), "{path} {form}: {refused}");
    }
    assert_eq!((ada.owners().await, ada.people().await.len()), (vec![ADA.to_owned()], 3));
    assert!(ada.is_signed_in().await);
    let removed = bob.submit(REMOVE, &bob.naming("cyd@example.com").await).await;
    assert!(removed.contains("cyd@example.com is removed"), "{removed}");
}

#[tokio::test(start_paused = true)]
async fn people_of_another_account_can_do_nothing() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let mut bob = ada.with_member(BOB).await;
    let mut eve = site.signed_in("eve@example.com").await;
    let form = ada.naming(BOB).await;
    let refused = eve.submit(ROLE, &format!("{form}&role=OWNER")).await;
    assert!(refused.contains("no such person"), "{refused}");
    eve.submit(REMOVE, &form).await;
    assert!(bob.is_signed_in().await && ada.people().await.len() == 2);
    assert_eq!(ada.owners().await, [ADA]);
}

#[tokio::test(start_paused = true)]
async fn a_removed_member_is_signed_out_and_their_invitations_are_named() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let mut bob = ada.with_member(BOB).await;
    let mut phone = site.signed_in(BOB).await;
    bob.invite("1").await;
    let form = ada.naming(BOB).await;
    let removed = ada.submit(REMOVE, &form).await;
    assert!(
        removed.contains("bob@example.com is removed") && removed.contains("One invitation of theirs"),
        "{removed}"
    );
    assert!(!bob.is_signed_in().await && !phone.is_signed_in().await);
    for path in [SETTINGS, "/dashboard/keys", "/dashboard/campaigns"] {
        assert!(phone.get(path).await.to().starts_with("/dashboard/sign-in"), "{path}");
    }
    assert!(phone.post(INVITE, "idempotency_key=2").await.to().starts_with("/dashboard/sign-in"));
    let again = ada.submit(REMOVE, &form).await;
    assert!(
        again.contains("does not belong to the account any more") && again.contains("notice outcome good"),
        "{again}"
    );
    assert_ne!(site.signed_in(BOB).await.customer(), ada.customer(), "the next sign-in is an account of their own");
}

/// An assistant that a person has connected; returns its access token.
async fn assistant_of(site: &Site, customer: CustomerId, person: &Person) -> String {
    let consent = assistants::consent(&site.app, customer, Scope::Campaigns, &person.id).await;
    let request = http::Request::post(assistants::TOKEN).header("content-type", "application/x-www-form-urlencoded");
    let form = assistants::exchange_form(&consent.code, &[]);
    let answered = respond(&site.app, request.body(Body::from(form)).expect("a request")).await;
    assistants::tokens(&json_of(answered.body())).access
}

/// The status of a message to the endpoint of agents.
async fn message(site: &Site, access: &str) -> u16 {
    advance(Duration::from_secs(5)).await;
    let body = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}"#;
    let request = http::Request::post("/v1/mcp").header("content-type", "application/json");
    let request = request.header("authorization", format!("Bearer {access}")).body(Body::from(body));
    respond(&site.app, request.expect("a request")).await.status().as_u16()
}

#[tokio::test(start_paused = true)]
async fn a_removed_member_takes_along_the_assistants_of_their_own() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let mut bob = ada.with_member(BOB).await;
    let customer = ada.customer();
    let of_ada = assistant_of(&site, customer, &ada.person(ADA).await).await;
    let of_bob = assistant_of(&site, customer, &ada.person(BOB).await).await;
    assert_eq!((message(&site, &of_ada).await, message(&site, &of_bob).await), (200, 200));
    let refused = bob.submit(REMOVE, &bob.naming(ADA).await).await;
    assert!(refused.contains("Only an owner"), "{refused}");
    assert_eq!(message(&site, &of_ada).await, 200, "a refused removal signs nobody out");
    let form = ada.naming(BOB).await;
    let removed = ada.submit(REMOVE, &form).await;
    assert!(removed.contains("The assistant that they have connected is signed out"), "{removed}");
    assert_eq!((message(&site, &of_ada).await, message(&site, &of_bob).await), (200, 401));
    let again = ada.submit(REMOVE, &form).await;
    assert!(again.contains("does not belong to the account any more"), "{again}");
}

#[tokio::test(start_paused = true)]
async fn the_last_owner_cannot_leave_before_handing_over() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let mut bob = ada.with_member(BOB).await;
    let (own, other) = (ada.naming(ADA).await, ada.naming(BOB).await);
    for (path, form) in [(REMOVE, own.clone()), (ROLE, format!("{own}&role=MEMBER"))] {
        let refused = ada.submit(path, &form).await;
        assert!(refused.contains("at least one owner"), "{path}: {refused}");
    }
    let made = ada.submit(ROLE, &format!("{other}&role=OWNER")).await;
    assert!(made.contains("bob@example.com is an owner now."), "{made}");
    assert_eq!(ada.owners().await, [ADA, BOB]);
    let back = bob.submit(ROLE, &format!("{own}&role=MEMBER")).await;
    assert!(back.contains("ada@example.com is a member now."), "{back}");
    bob.submit(ROLE, &format!("{own}&role=OWNER")).await;
    let left = ada.post(REMOVE, &own).await;
    assert!(left.to() == "/dashboard/sign-in" && !ada.cookies.contains_key(SESSION));
    assert_eq!(bob.owners().await, [BOB]);
}

#[tokio::test(start_paused = true)]
async fn a_member_does_not_change_the_plan() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let mut bob = ada.with_member(BOB).await;
    let page = bob.get("/dashboard/billing").await.text;
    assert!(page.contains("Only an owner") && page.contains(ADA) && !page.contains("billing/checkout"), "{page}");
    for (path, form) in [
        ("/dashboard/billing/checkout", "plan=pro&idempotency_key=1"),
        ("/dashboard/billing/portal", "idempotency_key=2"),
    ] {
        let refused = bob.submit(path, form).await;
        assert!(
            refused.contains("Only an owner of this account may change the plan") && refused.contains(ADA),
            "{refused}"
        );
        let allowed = ada.post(path, form).await;
        assert!(
            !allowed.to().starts_with("/dashboard")
                || !ada.get("/dashboard/billing").await.text.contains("Only an owner")
        );
    }
}

#[tokio::test(start_paused = true)]
async fn leaving_needs_no_recent_sign_in_and_other_changes_of_people_do() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let mut bob = ada.with_member(BOB).await;
    let (own, member) = (bob.naming(BOB).await, ada.naming(BOB).await);
    advance(Duration::from_mins(11)).await;
    let page = ada.get(SETTINGS).await.text;
    assert!(page.contains(INVITE) && page.contains(REMOVE) && !page.contains("Sign in again"), "{page}");
    for (path, form) in [(INVITE, String::new()), (REMOVE, member.clone()), (ROLE, format!("{member}&role=OWNER"))] {
        assert!(ada.post(path, &form).await.to().contains("again=yes"), "{path}");
    }
    assert_eq!(ada.people().await.len(), 2);
    let invitation = "idempotency_key=9&role=MEMBER&invitee=Cyd";
    let sign_in = ada.post(INVITE, invitation).await.to().to_owned();
    assert!(sign_in.ends_with("return_to=%2Fdashboard%2Fsettings"), "no name stands in an address: {sign_in}");
    let back = ada.sign_in_from(&sign_in, ADA).await.to().to_owned();
    let page = ada.get(&back).await.text;
    for text in ["nothing is sent yet", "value=\"Cyd\"", "value=\"MEMBER\" checked", "href=\"#invite\">To the"] {
        assert!(page.contains(text), "{text}: {page}");
    }
    assert!(shown_link(&page).is_none() && page.contains("No invitation is open."), "{page}");
    let made = ada.submit(INVITE, invitation).await;
    let link = shown_link(&made).expect("a link");
    assert!(
        made.contains(&format!("and sign in: {ORIGIN}{link}</span>")) && made.contains("No mail is sent"),
        "{made}"
    );
    assert_eq!(bob.post(REMOVE, &own).await.to(), "/dashboard/sign-in");
    assert_eq!(ada.people().await.len(), 1);
}

#[tokio::test(start_paused = true)]
async fn an_email_address_is_escaped_on_every_page() {
    const EVIL: &str = "\"><img/src=x>@example.com";
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let mut evil = ada.with_member(EVIL).await;
    evil.invite("1").await;
    ada.submit(ROLE, &format!("{}&role=OWNER", ada.naming(EVIL).await)).await;
    ada.submit(ROLE, &format!("{}&role=MEMBER", ada.naming(ADA).await)).await;
    for path in [SETTINGS, "/dashboard/billing", "/dashboard/activity"] {
        for browser in [&mut ada, &mut evil] {
            let page = browser.get(path).await.text;
            assert!(!page.contains("<img"), "{path}: {page}");
        }
    }
    // The page of billing names an owner to a member, and the header has one's own address.
    assert!(ada.get("/dashboard/billing").await.text.contains("&#60;img"));
    assert!(evil.get("/dashboard/activity").await.text.contains("&#60;img"));
}

#[tokio::test(start_paused = true)]
async fn without_an_owner_the_oldest_person_is_the_owner() {
    let site = Site::new().await;
    let mut ada = site.signed_in(ADA).await;
    let mut bob = ada.with_member(BOB).await;
    ada.with_member("cyd@example.com").await;
    let person = ada.person(ADA).await.id;
    assert!(site.app.store.remove_person(ada.customer(), &person).await.expect("a store"), "by the operator");
    assert_eq!(bob.owners().await, [BOB]);
    let form = bob.naming("cyd@example.com").await;
    let made = bob.submit(ROLE, &format!("{form}&role=OWNER")).await;
    assert!(made.contains("cyd@example.com is an owner now."), "{made}");
    assert_eq!(bob.owners().await, [BOB, "cyd@example.com"]);
}
