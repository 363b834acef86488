//! A share of a CPU, as Lambda gives it by the memory size; only where the kernel lets this user do so.

use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;

/// So much memory has one whole CPU.
const MB_OF_ONE_CPU: u64 = 1_769;
/// How often the share is dealt out anew, in µs.
const PERIOD_US: u64 = 20_000;

/// A control group; it is removed when it is dropped.
pub(crate) struct Share {
    folder: PathBuf,
}

impl Share {
    /// The share of a function with so much memory.
    pub(crate) fn of(memory_mb: u64) -> Option<Share> {
        let folder = PathBuf::from(format!("/sys/fs/cgroup/cpu/unified-ads-bench-{}-{memory_mb}", std::process::id()));
        fs::create_dir(&folder).ok()?;
        let share = Share { folder };
        fs::write(share.folder.join("cpu.cfs_period_us"), PERIOD_US.to_string()).ok()?;
        fs::write(share.folder.join("cpu.cfs_quota_us"), (PERIOD_US * memory_mb / MB_OF_ONE_CPU).to_string()).ok()?;
        Some(share)
    }

    /// A command that runs with this share.
    pub(crate) fn hold(&self, command: &[OsString]) -> Vec<OsString> {
        let enter = r#"echo $$ > "$0" && exec "$@""#;
        let before = ["/bin/sh".into(), "-c".into(), enter.into(), self.folder.join("tasks").into()];
        before.into_iter().chain(command.iter().cloned()).collect()
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        // It stays only as long as a process is in it.
        for _ in 0..100 {
            if fs::remove_dir(&self.folder).is_ok() {
                return;
            }
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
    }
}
