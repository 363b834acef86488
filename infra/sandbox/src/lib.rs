//! The outside world on 127.0.0.1: a sandbox that imitates ad platforms as their published
//! documentation describes them, consent pages included, and refuses what they refuse.
//!
//! Every address of a platform lives under `/{platform}` plus its real path:
//! `https://googleads.googleapis.com/v26/customers:listAccessibleCustomers` is
//! `/alpha_ads/v26/customers:listAccessibleCustomers`. Tests and people steer it at `/_sandbox/`.
//!
//! [`start`] serves it over HTTP; [`Inside`] is the same without a socket, for tests with a clock of their own.
//!
//! It shares no code with the adapters it examines, so that one misreading of a platform cannot
//! hide itself on both sides.
//!
//! The payment provider is at `/stripe`, its webhooks go where `/_sandbox/stripe/webhook` says.
//!
//! A further platform is one folder beside `alpha`, one field in `platform::Platforms`, and one
//! row in [`PLATFORMS`].

mod alpha;
mod beta;
mod connection;
mod control;
mod delta;
mod epsilon;
mod faults;
mod fields;
mod gamma;
mod http;
mod inside;
mod money;
mod oauth;
mod page;
mod platform;
mod quirks;
mod record;
mod server;
mod state;
mod stripe;
mod zeta;

use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use std::{fmt, io};

use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use crate::connection::Listener;
use crate::state::Sandbox;

pub use inside::Inside;

/// The lower-case wire words of the platforms that are imitated, the first part of every path.
pub const PLATFORMS: &[&str] = &[alpha::WORD, beta::WORD, gamma::WORD, delta::WORD, epsilon::WORD, zeta::WORD];

/// The secret key of the payment provider's one account.
pub const STRIPE_KEY: &str = stripe::KEY;

/// Where the sandbox listens and what it keeps.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// TCP port on 127.0.0.1; 0 takes any free one.
    pub port: u16,
    /// Folder in which `sandbox.json` holds accounts, grants and campaigns; `None` forgets them.
    pub data: Option<PathBuf>,
}

/// The one OAuth client that a platform has registered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Client {
    /// `client_id` of the platform's OAuth addresses.
    pub id: &'static str,
    /// `client_secret` of the token address.
    pub secret: &'static str,
}

/// The OAuth client registered with `platform` (a lower-case wire word), or `None` for a word
/// that is no platform here.
#[must_use]
pub fn client(platform: &str) -> Option<Client> {
    match platform {
        alpha::WORD => Some(alpha::CLIENT),
        beta::WORD => Some(beta::CLIENT),
        delta::WORD => Some(delta::CLIENT),
        epsilon::WORD => Some(epsilon::CLIENT),
        gamma::WORD => Some(gamma::CLIENT),
        zeta::WORD => Some(zeta::CLIENT),
        _ => None,
    }
}

/// Starts serving on 127.0.0.1 and returns at once.
///
/// # Errors
/// A port that cannot be had, a data folder that cannot be used, or a `sandbox.json` that is not
/// the sandbox's.
pub async fn start(options: Options) -> Result<Running, StartError> {
    let inside = Inside(Arc::new(Sandbox::open(options.data)?));
    let wanted = SocketAddr::from((Ipv4Addr::LOCALHOST, options.port));
    let listener = Listener::bind(wanted).await.map_err(|source| StartError::Port { port: options.port, source })?;
    let address = listener.address();
    let (stop, stopped) = oneshot::channel();
    let delivering = stripe::deliver(Arc::clone(&inside.0));
    let serving = tokio::spawn(async move {
        tokio::select! {
            () = server::serve(listener, inside, stopped) => {}
            () = never(delivering) => {}
        }
    });
    Ok(Running { address, stop, serving })
}

/// Runs what has to go on as long as something else does, and does not end by itself.
async fn never(task: impl Future<Output = ()>) {
    task.await;
    std::future::pending::<()>().await;
}

/// A sandbox that serves until it is stopped or dropped with its runtime.
#[derive(Debug)]
pub struct Running {
    /// Where it listens.
    pub address: SocketAddr,
    stop: oneshot::Sender<()>,
    serving: JoinHandle<()>,
}

impl Running {
    /// `http://127.0.0.1:PORT`, without a trailing slash.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Stops taking requests and waits for those under way, five seconds at most. What was
    /// acknowledged is on disk already: the state is written before each answer.
    pub async fn stop(self) {
        let _ = self.stop.send(());
        let ending = self.serving.abort_handle();
        if tokio::time::timeout(Duration::from_secs(5), self.serving).await.is_err() {
            ending.abort();
        }
    }
}

/// Why the sandbox could not start; the text says what to do.
#[derive(Debug)]
pub enum StartError {
    /// The port cannot be bound.
    Port {
        /// The port that was asked for.
        port: u16,
        /// What the system said.
        source: io::Error,
    },
    /// The data folder cannot be created or `sandbox.json` cannot be read.
    Data {
        /// The folder or file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// `sandbox.json` is not what the sandbox writes.
    Corrupt {
        /// The file.
        path: PathBuf,
        /// What is wrong, with line and column.
        reason: String,
    },
}

impl fmt::Display for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Port { port, source } if source.kind() == io::ErrorKind::AddrInUse => write!(
                f,
                "port {port} of 127.0.0.1 is taken; stop what uses it, or choose another with \
                 --sandbox-port (cargo local) or --port (the sandbox alone), 0 for any"
            ),
            Self::Port { port, source } => write!(f, "cannot listen on 127.0.0.1:{port}: {source}"),
            Self::Data { path, source } => write!(f, "cannot use {}: {source}", path.display()),
            Self::Corrupt { path, reason } => {
                write!(f, "{} is not a sandbox state ({reason}); move it away to begin anew", path.display())
            }
        }
    }
}

impl std::error::Error for StartError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Port { source, .. } | Self::Data { source, .. } => Some(source),
            Self::Corrupt { .. } => None,
        }
    }
}
