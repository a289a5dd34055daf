//! The sole right to import one source, among all builds that share a cache, so that none does what another is doing.
//!
//! A claim is a lock on a file, which the system releases when its holder dies. Claims save work and nothing rests on
//! them: where there are no locks, or a holder is stuck, two builds import the same source and store the same blob.

use std::fs::{self, File, TryLockError};
use std::path::PathBuf;
use std::thread;
use std::time::{Duration, Instant};

use super::{Cache, Key, write};

/// What the names of claims end with.
const ENDING: &str = ".claim";

/// The right to import; given back when dropped.
#[derive(Debug)]
pub(crate) struct Claim {
    /// Holds the lock, where there is one.
    _file: Option<File>,
    path: PathBuf,
}

impl Drop for Claim {
    fn drop(&mut self) {
        // Before the lock goes: whoever opens the file after this makes a new one.
        if !self.path.as_os_str().is_empty() {
            let _ = fs::remove_file(&self.path);
        }
    }
}

impl Cache {
    /// The right to import the source of `key`, or `None` while another has it.
    pub(crate) fn claim(&self, key: &Key) -> Option<Claim> {
        let path = self.claims().join(key.hex() + ENDING);
        let file = File::create(&path).ok();
        match file.as_ref().map(File::try_lock) {
            Some(Err(TryLockError::WouldBlock)) => None,
            Some(Ok(()) | Err(TryLockError::Error(_))) | None => Some(Claim { _file: file, path }),
        }
    }

    /// The right to import the source of `key`, once its holder has given it back or `patience` has run out.
    pub(crate) fn claim_or_wait(&self, key: &Key, patience: Duration) -> Claim {
        let started = Instant::now();
        let mut pause = Duration::from_millis(1);
        loop {
            if let Some(claim) = self.claim(key) {
                return claim;
            }
            if started.elapsed() >= patience {
                // The other one keeps its file; ours is none.
                return Claim { _file: None, path: PathBuf::new() };
            }
            // Locks cannot be waited for with a deadline.
            thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(50));
        }
    }

    /// Removes claims whose holders are gone.
    pub(super) fn sweep_claims(&self) -> usize {
        write::sweep(&self.claims(), |name| name.ends_with(ENDING))
    }

    pub(super) fn claims(&self) -> PathBuf {
        self.dir.join("claims")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_has_the_claim_and_the_others_wait_until_it_is_given_back_or_they_run_out_of_patience() {
        let dir = tempfile::tempdir().unwrap();
        let cache = Cache::open(Some(dir.path().to_owned()), dir.path()).unwrap();
        let (key, other) = (Key([1; 32]), Key([2; 32]));
        let claim = cache.claim(&key).unwrap();
        assert!(cache.claim(&key).is_none());
        assert!(cache.claim(&other).is_some());
        // A holder that is stuck keeps nobody for ever, and its claim is not swept.
        drop(cache.claim_or_wait(&key, Duration::from_millis(20)));
        assert_eq!(cache.sweep_claims(), 0);
        assert!(cache.claim(&key).is_none());
        thread::scope(|scope| {
            let waiting = scope.spawn(|| cache.claim_or_wait(&key, Duration::from_secs(60)));
            drop(claim);
            assert!(waiting.join().unwrap()._file.is_some());
        });
        assert!(fs::read_dir(cache.claims()).unwrap().next().is_none());
        fs::write(cache.claims().join("0a.claim"), "").unwrap();
        assert_eq!(cache.sweep_claims(), 1);
    }
}
