//! A share of a CPU in proportion to the memory size, as on Lambda. Needs permission to create a control group.

use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;

/// Memory size that comes with one whole CPU.
const MB_PER_CPU: u64 = 1_769;
/// Scheduling period in µs.
const PERIOD_US: u64 = 20_000;

/// A control group. Dropping it removes the group.
pub(crate) struct CpuShare {
    folder: PathBuf,
}

impl CpuShare {
    /// The share of a function with this memory size; `None` without permission.
    pub(crate) fn for_memory(memory_mb: u64) -> Option<CpuShare> {
        let folder = PathBuf::from(format!("/sys/fs/cgroup/cpu/unified-ads-bench-{}-{memory_mb}", std::process::id()));
        fs::create_dir(&folder).ok()?;
        let share = CpuShare { folder };
        fs::write(share.folder.join("cpu.cfs_period_us"), PERIOD_US.to_string()).ok()?;
        fs::write(share.folder.join("cpu.cfs_quota_us"), (PERIOD_US * memory_mb / MB_PER_CPU).to_string()).ok()?;
        Some(share)
    }

    /// Wraps a command so that it runs with this share.
    pub(crate) fn wrap(&self, command: &[OsString]) -> Vec<OsString> {
        let enter = r#"echo $$ > "$0" && exec "$@""#;
        let wrapper = ["/bin/sh".into(), "-c".into(), enter.into(), self.folder.join("tasks").into()];
        wrapper.into_iter().chain(command.iter().cloned()).collect()
    }
}

impl Drop for CpuShare {
    fn drop(&mut self) {
        // A group can be removed as soon as its last process has exited.
        for _ in 0..100 {
            if fs::remove_dir(&self.folder).is_ok() {
                return;
            }
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
    }
}
