//! The state of the sandbox behind one lock, and its file.

use crate::disk::{LastWrite, file_error};
use crate::error::StartError;
use crate::faults::{Fault, Faults, Kind};
use crate::http::{Request, Response};
use crate::registry::Platforms;
use crate::request_log::RequestLog;
use crate::service::{RequestContext, Settings};
use jiff::Timestamp;
use std::collections::BTreeMap;
use std::fs::{self, DirBuilder, OpenOptions, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::Notify;

/// The file of the state in the data folder.
pub const STATE_FILE: &str = "sandbox.json";

/// The state, its file and its clock. The lock is never held across an await.
pub(crate) struct Sandbox {
    state: Mutex<State>,
    file: Option<PathBuf>,
    clock: Box<dyn Fn() -> Timestamp + Send + Sync>,
    /// The outcome of the last write of the file.
    pub(crate) last_write: LastWrite,
    /// Wakes the webhook worker after a change that may have scheduled a delivery.
    pub(crate) webhook_signal: Notify,
}

/// Everything that requests and control requests read and change.
#[derive(Clone, Default)]
pub(crate) struct State {
    pub(crate) platforms: Platforms,
    pub(crate) settings: BTreeMap<&'static str, Settings>,
    pub(crate) faults: Faults,
    pub(crate) request_log: RequestLog,
}

/// The treatment of a request that was just logged.
pub(crate) struct Treatment {
    /// The response to a rejected request; no fault is applied to it.
    pub(crate) rejection: Option<Response>,
    pub(crate) fault: Option<Fault>,
    pub(crate) latency: Duration,
}

impl Sandbox {
    /// A sandbox with its initial state and no file.
    pub(crate) fn new(clock: impl Fn() -> Timestamp + Send + Sync + 'static) -> Self {
        let state = Mutex::default();
        let last_write = LastWrite::default();
        Self { state, file: None, clock: Box::new(clock), last_write, webhook_signal: Notify::new() }
    }

    /// A copy of this sandbox with a clock of its own, and no file.
    pub(crate) fn fork(&self, clock: impl Fn() -> Timestamp + Send + Sync + 'static) -> Self {
        Self { state: Mutex::new(self.lock().clone()), ..Self::new(clock) }
    }

    /// A sandbox with the state in the folder `data` and the system's clock.
    #[expect(clippy::disallowed_methods, reason = "the only place of the sandbox that reads the system clock")]
    pub(crate) fn open(data: Option<PathBuf>) -> Result<Self, StartError> {
        let empty = Self::new(Timestamp::now);
        let Some(folder) = data else { return Ok(empty) };
        let created = DirBuilder::new().recursive(true).mode(0o700).create(&folder);
        created.map_err(|source| StartError::Data { path: folder.clone(), source })?;
        let file = folder.join(STATE_FILE);
        let platforms = read(&file)?;
        write(&file, &platforms).map_err(|source| StartError::Data { path: file.clone(), source })?;
        let state = State { platforms, ..State::default() };
        Ok(Self { state: Mutex::new(state), file: Some(file), ..empty })
    }

    /// The sandbox's only source of time.
    pub(crate) fn now(&self) -> Timestamp {
        (self.clock)()
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Logs a request and takes the fault that matches it.
    pub(crate) fn receive(&self, service: &'static str, request: &Request) -> Treatment {
        let mut state = self.lock();
        state.request_log.add(service, request.clone());
        let receiver = state.platforms.service_mut(service);
        let kind = receiver.as_ref().map(|receiver| receiver.request_kind(request));
        let rejection = receiver.and_then(|receiver| receiver.begin(request));
        let fault = match kind {
            Some(kind) if rejection.is_none() => state.faults.take(service, kind),
            _ => None,
        };
        let latency = state.settings.get(service).map_or(0, |settings| settings.latency_ms);
        Treatment { rejection, fault, latency: Duration::from_millis(latency) }
    }

    /// Reports the response to a request that was not rejected.
    pub(crate) fn leave(&self, service: &str, request: &Request, response: &Response) {
        if let Some(receiver) = self.lock().platforms.service_mut(service) {
            receiver.finish(request, response, self.now());
        }
    }

    /// Executes a request and writes the state to disk. The fault `revoked` revokes the grant in use before, and
    /// `ignored` takes back what the request has changed.
    pub(crate) fn execute(&self, service: &'static str, request: &Request, fault: Option<Kind>) -> Response {
        let mut state = self.lock();
        let settings = state.settings.get(service).cloned().unwrap_or_default();
        let (revoke_first, is_ignored) = (fault == Some(Kind::Revoked), fault == Some(Kind::Ignored));
        let context = RequestContext { now: self.now(), settings: &settings, is_ignored };
        let before = is_ignored.then(|| state.platforms.clone());
        if revoke_first && let Some(platform) = state.platforms.ad_platform_mut(service) {
            platform.revoke_grant_in_use(request);
        }
        let Some(receiver) = state.platforms.service_mut(service) else {
            return Response::new(404, "text/plain", "no such platform");
        };
        let response = receiver.handle(request, &context);
        if let Some(before) = before {
            state.platforms = before;
            return response;
        }
        self.webhook_signal.notify_one();
        if receiver.request_kind(request).is_read() && !revoke_first {
            return response;
        }
        self.save(&state).map_or_else(|failure| failure, |()| response)
    }

    /// Writes the state to its file. On an error, the caller must respond with it and acknowledge nothing.
    pub(crate) fn save(&self, state: &State) -> Result<(), Response> {
        let Some(file) = &self.file else { return Ok(()) };
        let failure = write(file, &state.platforms).err().map(|error| file_error(file, &error));
        let is_first = self.last_write.record(failure.clone());
        let Some(text) = failure else { return Ok(()) };
        if is_first {
            tracing::error!(error = text, "the sandbox could not save");
        }
        Err(Response::new(500, "text/plain; charset=utf-8", format!("the sandbox {text}")))
    }
}

fn read(file: &Path) -> Result<Platforms, StartError> {
    let text = match fs::read_to_string(file) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Platforms::default()),
        Err(source) => return Err(StartError::Data { path: file.to_owned(), source }),
    };
    serde_json::from_str(&text)
        .map_err(|error| StartError::Corrupt { path: file.to_owned(), reason: error.to_string() })
}

/// Writes a new file and renames it, so that a killed process leaves a complete file. There is no fsync: the sandbox
/// does not have to survive a power failure. Only the owner may read the file, which holds tokens.
fn write(file: &Path, platforms: &Platforms) -> io::Result<()> {
    let new = file.with_extension("json.new");
    replace(file, &new, platforms).inspect_err(|_| {
        // Best effort: a part of a file takes room on a full disk.
        let _ = fs::remove_file(&new);
    })
}

fn replace(file: &Path, new: &Path, platforms: &Platforms) -> io::Result<()> {
    let mut writer = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(new)?;
    // A file that a killed process left behind keeps its permissions.
    writer.set_permissions(Permissions::from_mode(0o600))?;
    writer.write_all(&serde_json::to_vec(platforms)?)?;
    fs::rename(new, file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_corrupt_file_is_named_and_left_unchanged() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("sandbox.json");
        fs::write(&file, "{\"alpha_ads\": 5}").unwrap();
        let error = Sandbox::open(Some(folder.path().to_owned())).err().unwrap().to_string();
        assert!(error.contains("sandbox.json"), "{error}");
        assert_eq!(fs::read_to_string(&file).unwrap(), "{\"alpha_ads\": 5}");
    }

    #[test]
    fn the_file_becomes_private_whatever_was_there() {
        let folder = tempfile::tempdir().unwrap();
        let data = folder.path().join("data");
        Sandbox::open(Some(data.clone())).unwrap();
        let file = data.join("sandbox.json");
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(&data), mode(&file)), (0o700, 0o600));
        fs::set_permissions(&file, Permissions::from_mode(0o644)).unwrap();
        fs::write(file.with_extension("json.new"), "").unwrap();
        Sandbox::open(Some(data.clone())).unwrap();
        assert_eq!(mode(&file), 0o600);
    }

    #[test]
    fn a_file_in_place_of_the_folder_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("taken");
        fs::write(&file, "").unwrap();
        let error = Sandbox::open(Some(file)).err().unwrap().to_string();
        assert!(error.contains("taken"), "{error}");
    }
}
