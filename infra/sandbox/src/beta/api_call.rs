//! An authenticated call, and the objects that it may access.

use super::account::Account;
use super::auth::Caller;
use super::campaign::Campaign;
use super::error::GraphError;
use super::paging::PageRequest;
use super::params::Params;
use super::quirks;
use super::state::Beta;
use crate::http::Request;
use crate::service::RequestContext;
use serde_json::Value;

/// A call with its parameters and its caller.
pub(crate) struct ApiCall<'a> {
    pub(crate) request: &'a Request,
    pub(crate) params: Params,
    pub(crate) caller: Caller,
    pub(crate) context: &'a RequestContext<'a>,
}

/// The body of a response.
pub(crate) type ApiResult = Result<Value, GraphError>;

impl ApiCall<'_> {
    pub(crate) fn page_request(&self) -> PageRequest<'_> {
        let max_rows = self.context.settings.page_size;
        PageRequest { request: self.request, params: &self.params, token: &self.caller.token, max_rows }
    }

    /// An account that the caller may read.
    pub(crate) fn account<'b>(&self, beta: &'b Beta, act: &str) -> Result<&'b Account, GraphError> {
        self.caller.check_read()?;
        let index = self.caller.account_index(beta, &self.request.method, act)?;
        beta.accounts.get(index).ok_or_else(GraphError::internal)
    }

    /// An account that the caller may read and whose campaigns no quirk disables.
    pub(crate) fn account_with_campaigns<'b>(&self, beta: &'b Beta, act: &str) -> Result<&'b Account, GraphError> {
        let account = self.account(beta, act)?;
        quirks::check_account(account.id, self.context).map(|()| account)
    }

    /// A campaign that the caller may read, and its account.
    pub(crate) fn campaign<'b>(&self, beta: &'b Beta, id: &str) -> Result<(&'b Account, &'b Campaign), GraphError> {
        self.caller.check_read()?;
        let (index, number) = self.caller.campaign_index(beta, &self.request.method, id)?;
        let account = beta.accounts.get(index).ok_or_else(GraphError::internal)?;
        Ok((account, account.campaigns.get(&number).ok_or_else(GraphError::internal)?))
    }
}
