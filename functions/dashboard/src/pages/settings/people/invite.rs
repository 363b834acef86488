//! Invitations: the form that makes the link, and the one that withdraws it.

use crate::client::api::Refusal;
use crate::client::notice::Notice;
use crate::client::one_time_secret::{self, secret_form, with_secret};
use crate::client::session::SignedIn;
use crate::kit::addresses::{SETTINGS, SIGN_IN};
use crate::kit::form_fields::pick;
use crate::kit::people::with_role;
use crate::kit::text::{isolated, readable};
use crate::pages::kept_form::recent_first;
use crate::pages::layout::Layout;
use secrecy::SecretString;
use shared::auth::CustomerToken;
use shared::domain::{Invitation, Inviter, Role};
use shared::envelope::WebReply;
use shared::envelope::query::value;
use shared::error::{Error, Kind};
use shared::serve::WebRequest;
use shared::store::{MAX_INVITATIONS, Offer};

/// People of an account, so that their list is one page. Open invitations may exceed it.
const MAX_PEOPLE: usize = 50;
/// The field to which the sealed link is bound.
const LINK: &str = "invitation link";
/// The field that says for whom the invitation is.
const INVITEE: &str = "invitee";
/// The fields that the page shows again.
pub(crate) const INVITE_FIELDS: [&str; 2] = ["role", INVITEE];
/// The role that is chosen from the start: the one that changes nothing.
const FIRST_ROLE: Role = Role::Viewer;

/// Makes an invitation and shows its link once.
pub(crate) async fn invite(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let form = request.form()?;
    if !person.session.is_recent(request.now) {
        return Ok(recent_first(request, &form));
    }
    let customer = person.customer();
    let Some(role) = role(&form) else {
        let message = "An invitation is for a member or a viewer. Choose one of them.";
        return Ok(refused(message.to_owned(), request, &form));
    };
    let Some(invitee) = invitee(&form) else {
        let most = Invitation::MAX_INVITEE;
        let message = format!("A name or an address for an invitation has at most {most} characters, in one line.");
        return Ok(refused(message, request, &form));
    };
    if person.people.len() >= MAX_PEOPLE {
        return Ok(refused(format!("This account has {MAX_PEOPLE} people, which is the most."), request, &form));
    }
    // Sent twice, the form makes one invitation.
    let token = match secret_form(request, &form) {
        Some(form) => CustomerToken::derive(customer, &form.seed),
        None => CustomerToken::generate(customer)?,
    };
    let inviter = Inviter { id: person.session.person.clone(), email: person.session.email.clone() };
    let (hash, created_at) = (token.hash(), request.now);
    let invitation = Invitation { hash, created_at, inviter: Some(inviter), role, invitee };
    let offer = request.app.store.offer_invitation(customer, &invitation, &person.session.person).await?;
    if let Some(message) = refusal(offer) {
        return Ok(refused(message, request, &form));
    }
    let link = format!("{}?invitation={}", request.public_url(SIGN_IN)?, token.reveal());
    Ok(with_secret(Notice::success(made_words(&invitation)), LINK, &SecretString::from(link)).then(SETTINGS))
}

/// The role that a form of an invitation chooses. An owner is made of somebody who is here.
fn role(form: &[(String, String)]) -> Option<Role> {
    value(form, "role").and_then(Role::parse).filter(|role| *role != Role::Owner)
}

/// For whom the invitation of a form is, if it says so; `None` for words that are no line.
fn invitee(form: &[(String, String)]) -> Option<Option<String>> {
    let text = value(form, INVITEE).unwrap_or_default().trim();
    let is_line = text.chars().count() <= Invitation::MAX_INVITEE && !text.contains(char::is_control);
    is_line.then(|| Some(text.to_owned()).filter(|text| !text.is_empty()))
}

/// `The invitation for “Ada”, a viewer, is made. Its link works until 2 Dec 2026, 09:00 UTC: copy it below.`
fn made_words(invitation: &Invitation) -> String {
    let Invitation { role, invitee, .. } = invitation;
    let who = match invitee {
        Some(name) => format!("{}, {},", isolated(name), with_role(*role)),
        None => with_role(*role).to_owned(),
    };
    let end = readable(invitation.expires_at());
    format!("The invitation for {who} is made. Its link works until {end}: copy it below.")
}

/// Whether a form that is shown again is that of invitations.
pub(super) fn is_begun(sent: &[(String, String)]) -> bool {
    value(sent, INVITEE).is_some() || role(sent).is_some()
}

/// What the form of invitations begins with: for whom, and the name of the role that is chosen. After a refusal they are as
/// they were sent.
pub(super) fn begun(layout: &Layout) -> (String, &'static str) {
    let sent = layout.notice.as_ref().map_or(&[][..], |notice| &notice.values);
    let invitee = value(sent, INVITEE).unwrap_or_default().to_owned();
    (invitee, role(sent).unwrap_or(FIRST_ROLE).as_str())
}

/// Withdraws an invitation that nobody has accepted.
pub(crate) async fn withdraw(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let form = request.form()?;
    let hash = value(&form, "id").unwrap_or_default();
    let withdrawn = request.app.store.withdraw_invitation(person.customer(), hash, request.now).await?;
    let message = if withdrawn {
        "The invitation is withdrawn: its link leads nowhere now."
    } else {
        // The second request of a double click comes here, too.
        "The invitation is not open any more. If somebody has accepted it, they are in the list of people."
    };
    Ok(Notice::success(message).then(SETTINGS))
}

/// The link of the invitation that the last form has made.
pub(super) fn shown_link(layout: &Layout) -> Option<SecretString> {
    one_time_secret::open(layout.notice.as_ref(), LINK)
}

fn refused(message: String, request: &WebRequest, form: &[(String, String)]) -> WebReply {
    let refusal = Refusal::of(&Error::new(Kind::Conflict, message), request);
    Notice::failure(refusal, &pick(form, &INVITE_FIELDS)).then(SETTINGS)
}

fn refusal(offer: Offer) -> Option<String> {
    match offer {
        Offer::Open => None,
        Offer::Ended => Some("This form has made an invitation that has ended. Press the button again.".to_owned()),
        Offer::Full => Some(format!("{MAX_INVITATIONS} invitations are open. Withdraw one first.")),
        Offer::InviterGone => Some("You may not invite to this account any more.".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::form_fields::form;

    #[test]
    fn an_invitation_is_for_a_member_or_a_viewer() {
        let of = |name: &str| role(&form(&[("role", name)]));
        assert_eq!((of("MEMBER"), of("VIEWER")), (Some(Role::Member), Some(Role::Viewer)));
        for name in ["OWNER", "viewer", ""] {
            assert_eq!(of(name), None, "{name}");
        }
        assert_eq!(role(&[]), None, "a role is chosen, and no other is given");
    }

    #[test]
    fn an_invitation_says_for_whom_it_is_and_when_it_ends() {
        let of = |text: &str| invitee(&form(&[(INVITEE, text)]));
        assert_eq!((of(" Ada "), of(" "), invitee(&[])), (Some(Some("Ada".to_owned())), Some(None), Some(None)));
        assert_eq!(of(&"é".repeat(Invitation::MAX_INVITEE)).map(|name| name.is_some()), Some(true));
        assert_eq!((of(&"é".repeat(Invitation::MAX_INVITEE + 1)), of("Ada\nBob")), (None, None));
        let words = |invitee: Option<&str>| {
            let created_at = "2026-12-01T09:00:00Z".parse().unwrap();
            let (hash, invitee) = (String::new(), invitee.map(str::to_owned));
            made_words(&Invitation { hash, created_at, inviter: None, role: Role::Viewer, invitee })
        };
        let end = "is made. Its link works until 2 Dec 2026, 09:00 UTC: copy it below.";
        assert_eq!(words(None), format!("The invitation for a viewer {end}"));
        assert_eq!(words(Some("Ada")), format!("The invitation for “\u{2068}Ada\u{2069}”, a viewer, {end}"));
    }

    #[test]
    fn a_form_begins_with_the_role_that_changes_nothing() {
        let layout =
            |values| Layout { notice: Some(Notice { values, ..Notice::default() }), ..Layout::signed_out("Settings") };
        assert_eq!(begun(&Layout::signed_out("Settings")), (String::new(), "VIEWER"));
        assert_eq!(begun(&layout(Vec::new())), (String::new(), "VIEWER"));
        let sent = form(&[("role", "MEMBER"), (INVITEE, "Ada")]);
        let mut again = layout(sent);
        assert_eq!(begun(&again), ("Ada".to_owned(), "MEMBER"), "as it was sent");
        super::super::lead_to_form(&mut again);
        assert_eq!(again.notice.unwrap().link.unwrap().0, "#invite", "the form is far below");
        let mut other = layout(form(&[("uri", "https://a.example/")]));
        super::super::lead_to_form(&mut other);
        assert_eq!(other.notice.unwrap().link, None);
    }
}
