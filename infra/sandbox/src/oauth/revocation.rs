//! Revocation of grants and codes, and loss of access to ad accounts.

use super::client::bearer;
use super::grants::Grants;
use crate::http::{Pairs, Request};

impl Grants {
    /// Revokes the grant of an access or refresh token, with all of its tokens. False for an unknown token or a revoked
    /// grant.
    pub(crate) fn revoke(&mut self, token: &str) -> bool {
        let number = self.refresh.get(token).copied();
        let number = number.or_else(|| self.access.get(token).map(|access| access.grant));
        number.is_some_and(|number| self.revoke_grant(number))
    }

    /// Takes access to an ad account from every grant that has it, or gives it back. The grants stay valid.
    pub(crate) fn set_access(&mut self, account: &str, is_lost: bool) {
        for grant in self.grants.values_mut() {
            let accounts = &mut grant.consent.accounts;
            let (from, to) = if is_lost { (accounts, &mut grant.lost) } else { (&mut grant.lost, accounts) };
            to.extend(from.extract_if(.., |known| known == account));
        }
    }

    /// Revokes an unused code.
    pub(crate) fn revoke_code(&mut self, code: &str) {
        self.codes.remove(code);
    }

    /// Revokes the grant that a request uses, as if its user had revoked it. The grant is that of the code or refresh
    /// token at `token_path`, of the form's `token` at `form_paths`, and of the bearer token at any other path.
    pub(crate) fn revoke_grant_in_use(&mut self, request: &Request, token_path: &str, form_paths: &[&str]) {
        let form = Pairs::parse(&request.body);
        let path = request.path.as_str();
        let token = if path == token_path {
            self.revoke_code(form.get("code").unwrap_or_default());
            form.get("refresh_token")
        } else if form_paths.contains(&path) {
            form.get("token")
        } else {
            bearer(request)
        };
        self.revoke(token.unwrap_or_default());
    }

    pub(super) fn revoke_grant(&mut self, number: u64) -> bool {
        let Some(grant) = self.grants.get_mut(&number) else { return false };
        !std::mem::replace(&mut grant.revoked, true)
    }
}
