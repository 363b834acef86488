//! All that the sandbox knows, behind one lock, and its file.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use std::{fs, io};

use jiff::Timestamp;
use tokio::sync::Notify;

use crate::StartError;
use crate::faults::{Fault, Faults};
use crate::http::{Reply, Request};
use crate::platform::{Moment, Platforms, Settings};
use crate::record::Record;

/// The state and where it is kept. Nothing is awaited while the lock is held.
pub(crate) struct Sandbox {
    world: Mutex<World>,
    file: Option<PathBuf>,
    clock: Box<dyn Fn() -> Timestamp + Send + Sync>,
    /// Rung after whatever may have put a webhook on its way.
    pub(crate) mail: Notify,
}

/// What a request changes and what control looks at.
#[derive(Default)]
pub(crate) struct World {
    pub(crate) platforms: Platforms,
    pub(crate) settings: BTreeMap<&'static str, Settings>,
    pub(crate) faults: Faults,
    pub(crate) record: Record,
}

/// What is to happen with a request that was just recorded.
pub(crate) struct Plan {
    /// The answer of a request that is turned away; no fault meets it.
    pub(crate) refused: Option<Reply>,
    pub(crate) fault: Option<Fault>,
    pub(crate) latency: Duration,
}

impl Sandbox {
    /// On its first day, with nothing on disk.
    pub(crate) fn new(clock: impl Fn() -> Timestamp + Send + Sync + 'static) -> Self {
        Self { world: Mutex::default(), file: None, clock: Box::new(clock), mail: Notify::new() }
    }

    /// With the state of the folder, if there is one, and the system's clock.
    #[expect(clippy::disallowed_methods, reason = "the one place of the sandbox that reads the system clock")]
    pub(crate) fn open(data: Option<PathBuf>) -> Result<Self, StartError> {
        let fresh = Self::new(Timestamp::now);
        let Some(folder) = data else { return Ok(fresh) };
        fs::create_dir_all(&folder).map_err(|source| StartError::Data { path: folder.clone(), source })?;
        let file = folder.join("sandbox.json");
        let platforms = read(&file)?;
        write(&file, &platforms).map_err(|source| StartError::Data { path: file.clone(), source })?;
        let world = World { platforms, ..World::default() };
        Ok(Self { world: Mutex::new(world), file: Some(file), ..fresh })
    }

    /// The time: nothing else in the sandbox asks for it.
    pub(crate) fn now(&self) -> Timestamp {
        (self.clock)()
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, World> {
        self.world.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records a request and takes the fault that meets it.
    pub(crate) fn receive(&self, platform: &'static str, request: &Request) -> Plan {
        let mut world = self.lock();
        world.record.add(platform, request.clone());
        let receiver = world.platforms.get_mut(platform);
        let call = receiver.as_ref().map(|receiver| receiver.call(request));
        let refused = receiver.and_then(|receiver| receiver.enter(request));
        let call = call.filter(|_| refused.is_none());
        let fault = call.and_then(|call| world.faults.take(platform, call));
        let latency = world.settings.get(platform).map_or(0, |settings| settings.latency_ms);
        Plan { refused, fault, latency: Duration::from_millis(latency) }
    }

    /// Tells the platform how a request that was not turned away is answered.
    pub(crate) fn leave(&self, platform: &str, request: &Request, reply: &Reply) {
        if let Some(receiver) = self.lock().platforms.get_mut(platform) {
            receiver.leave(request, reply, self.now());
        }
    }

    /// Lets the platform do what the request asks; what it changed is on disk when this returns.
    /// With `revoked`, the grant in use dies first.
    pub(crate) fn act(&self, platform: &'static str, request: &Request, revoked: bool) -> Reply {
        let mut world = self.lock();
        let settings = world.settings.get(platform).cloned().unwrap_or_default();
        let moment = Moment { now: self.now(), settings: &settings };
        let Some(receiver) = world.platforms.get_mut(platform) else {
            return Reply::new(404, "text/plain", "no such platform");
        };
        if revoked {
            receiver.revoke_used(request);
        }
        let reply = receiver.answer(request, &moment);
        self.mail.notify_one();
        if receiver.call(request).reads() && !revoked {
            return reply;
        }
        self.save(&world).map_or_else(|failure| failure, |()| reply)
    }

    /// Writes the state where it is kept. A reply instead of it means that nothing may be
    /// acknowledged.
    pub(crate) fn save(&self, world: &World) -> Result<(), Reply> {
        let Some(file) = &self.file else { return Ok(()) };
        write(file, &world.platforms).map_err(|error| {
            tracing::error!(%error, file = %file.display(), "the sandbox could not save");
            let text = format!("the sandbox could not write {}: {error}", file.display());
            Reply::new(500, "text/plain; charset=utf-8", text)
        })
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

/// A new file takes the old one's name, so that a kill at any moment leaves a whole one. The
/// system keeps what a killed process wrote; a power cut is not what a sandbox guards against.
fn write(file: &Path, platforms: &Platforms) -> io::Result<()> {
    let fresh = file.with_extension("json.new");
    fs::write(&fresh, serde_json::to_vec(platforms)?)?;
    fs::rename(&fresh, file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_corrupt_file_is_named_and_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("sandbox.json");
        fs::write(&file, "{\"alpha_ads\": 5}").unwrap();
        let error = Sandbox::open(Some(folder.path().to_owned())).err().unwrap().to_string();
        assert!(error.contains("sandbox.json"), "{error}");
        assert_eq!(fs::read_to_string(&file).unwrap(), "{\"alpha_ads\": 5}");
    }

    #[test]
    fn a_folder_that_is_a_file_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("taken");
        fs::write(&file, "").unwrap();
        let error = Sandbox::open(Some(file)).err().unwrap().to_string();
        assert!(error.contains("taken"), "{error}");
    }
}
