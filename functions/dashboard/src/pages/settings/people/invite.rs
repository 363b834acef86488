//! Invitations: the form that makes the link, and the one that withdraws it.

use crate::client::api::Refusal;
use crate::client::notice::Notice;
use crate::client::one_time_secret::{self, secret_form, with_secret};
use crate::client::session::SignedIn;
use crate::kit::addresses::{SETTINGS, SIGN_IN, sign_in_again};
use crate::kit::people::with_role;
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

/// Makes an invitation and shows its link once.
pub(crate) async fn invite(request: &WebRequest, person: &SignedIn) -> Result<WebReply, Error> {
    let form = request.form()?;
    if !person.session.is_recent(request.now) {
        return Ok(WebReply::see_other(sign_in_again(SETTINGS)));
    }
    let customer = person.customer();
    let Some(role) = role(&form) else {
        return Ok(refused("An invitation is for a member or a viewer. Choose one of them.".to_owned(), request));
    };
    if person.people.len() >= MAX_PEOPLE {
        return Ok(refused(format!("This account has {MAX_PEOPLE} people, which is the most."), request));
    }
    // Sent twice, the form makes one invitation.
    let token = match secret_form(request, &form) {
        Some(form) => CustomerToken::derive(customer, &form.seed),
        None => CustomerToken::generate(customer)?,
    };
    let inviter = Inviter { id: person.session.person.clone(), email: person.session.email.clone() };
    let invitation = Invitation { hash: token.hash(), created_at: request.now, inviter: Some(inviter), role };
    let offer = request.app.store.offer_invitation(customer, &invitation, &person.session.person).await?;
    if let Some(message) = refusal(offer) {
        return Ok(refused(message, request));
    }
    let link = format!("{}?invitation={}", request.public_url(SIGN_IN)?, token.reveal());
    let notice = Notice::success(format!("The invitation for {} is made. Copy its link below.", with_role(role)));
    Ok(with_secret(notice, LINK, &SecretString::from(link)).then(SETTINGS))
}

/// The role of an invitation: that of a member, unless its form chooses another. An owner is made of somebody who is
/// here.
fn role(form: &[(String, String)]) -> Option<Role> {
    match value(form, "role").map_or(Some(Role::Member), Role::parse) {
        Some(Role::Owner) | None => None,
        Some(role) => Some(role),
    }
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

fn refused(message: String, request: &WebRequest) -> WebReply {
    Notice::failure(Refusal::of(&Error::new(Kind::Conflict, message), request), &[]).then(SETTINGS)
}

fn refusal(offer: Offer) -> Option<String> {
    match offer {
        Offer::Open => None,
        Offer::Ended => Some("This form has made an invitation that has ended. Press Invite again.".to_owned()),
        Offer::Full => Some(format!("{MAX_INVITATIONS} invitations are open. Withdraw one first.")),
        Offer::InviterGone => Some("You may not invite to this account any more.".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_invitation_is_for_a_member_or_a_viewer() {
        let of = |name: &str| role(&[("role".to_owned(), name.to_owned())]);
        assert_eq!(
            (of("MEMBER"), of("VIEWER"), role(&[])),
            (Some(Role::Member), Some(Role::Viewer), Some(Role::Member))
        );
        for name in ["OWNER", "viewer", ""] {
            assert_eq!(of(name), None, "{name}");
        }
    }
}
