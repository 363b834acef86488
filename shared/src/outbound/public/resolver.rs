//! Resolves names and checks what they resolve to, in one step: a connection is made only to addresses that passed.

use super::{PublicFailure, UrlPolicy};
use async_trait::async_trait;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

/// Resolves names: the system, or a test's own answers.
#[async_trait]
pub(super) trait Resolver: Send + Sync + std::fmt::Debug {
    /// All addresses of a name.
    async fn resolve(&self, name: &str) -> io::Result<Vec<IpAddr>>;
}

/// The resolver of the operating system.
#[derive(Debug)]
pub(super) struct SystemResolver;

#[async_trait]
impl Resolver for SystemResolver {
    async fn resolve(&self, name: &str) -> io::Result<Vec<IpAddr>> {
        Ok(tokio::net::lookup_host((name, 0)).await?.map(|address| address.ip()).collect())
    }
}

/// Gives the HTTP client the addresses of a name, if all of them are allowed. The client asks once for each connection,
/// and has no other resolver.
#[derive(Clone, Debug)]
pub(super) struct CheckedResolver {
    pub(super) resolver: Arc<dyn Resolver>,
    pub(super) policy: Arc<UrlPolicy>,
}

impl CheckedResolver {
    /// One address that is not allowed refuses the name: which of several is called is up to chance.
    async fn resolve(&self, name: &str) -> Result<Vec<IpAddr>, PublicFailure> {
        let addresses = self.resolver.resolve(name).await.map_err(|_| PublicFailure::NotResolved)?;
        if addresses.is_empty() {
            return Err(PublicFailure::NotResolved);
        }
        for address in &addresses {
            self.policy.check_address(name, *address).map_err(PublicFailure::Address)?;
        }
        Ok(addresses)
    }
}

impl Resolve for CheckedResolver {
    fn resolve(&self, name: Name) -> Resolving {
        let this = self.clone();
        Box::pin(async move {
            let addresses = CheckedResolver::resolve(&this, name.as_str()).await?;
            // Port 0 stands for the URL's.
            Ok(Box::new(addresses.into_iter().map(|address| SocketAddr::new(address, 0))) as Addrs)
        })
    }
}
