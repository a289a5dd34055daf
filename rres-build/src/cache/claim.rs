//! The sole right to import one source, among all builds that share a cache, so that none does what another is doing.
//!
//! A claim is a lock on a file, which the system releases when its holder dies. Claims save work and nothing rests on
//! them: where there are no locks, or a holder is stuck, two builds import the same source and store the same blob.
//!
//! The files stay, one for all keys that begin alike: to make and remove one per import costs file systems more than
//! importing a small source does. Keys that meet in a file by chance merely wait for each other.

use std::fs::{File, TryLockError};
use std::path::PathBuf;
use std::thread;
use std::time::{Duration, Instant};

use super::{Cache, Key};

/// As many hexadecimal digits of its key say which file stands for a source: 4,096 files, far more than imports at once.
const DIGITS: usize = 3;

/// The right to import; given back when dropped.
#[derive(Debug)]
pub(crate) struct Claim {
    /// Holds the lock, where there is one.
    _file: Option<File>,
}

impl Cache {
    /// The right to import the source of `key`, or `None` while another has it.
    pub(crate) fn claim(&self, key: &Key) -> Option<Claim> {
        let file = self.claims().join(format!("{}.claim", &key.hex()[..DIGITS]));
        let file = File::options().create(true).append(true).open(file).ok();
        match file.as_ref().map(File::try_lock) {
            Some(Err(TryLockError::WouldBlock)) => None,
            Some(Ok(()) | Err(TryLockError::Error(_))) | None => Some(Claim { _file: file }),
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
                return Claim { _file: None };
            }
            // Locks cannot be waited for with a deadline.
            thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(50));
        }
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
        // A holder that is stuck keeps nobody for ever.
        drop(cache.claim_or_wait(&key, Duration::from_millis(20)));
        assert!(cache.claim(&key).is_none());
        thread::scope(|scope| {
            let waiting = scope.spawn(|| cache.claim_or_wait(&key, Duration::from_secs(60)));
            drop(claim);
            assert!(waiting.join().unwrap()._file.is_some());
        });
        assert!(cache.claim(&key).is_some());
    }
}
