//! The memory of players: one budget for all games and analyses, out of which each takes what it was asked to use before
//! anything is allocated. Sums are what counts: sixteen games of 256 MiB are 4 GiB, though none of them is large.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::error::{ApiError, ApiResult};

/// What all players together may take.
pub(crate) struct MemoryBudget {
    total: u64,
    used: Mutex<u64>,
}

/// A part of it, until it is dropped.
pub(crate) struct Share {
    budget: Arc<MemoryBudget>,
    mib: u64,
}

impl MemoryBudget {
    /// So many MiB.
    pub(crate) fn new(total: u64) -> Arc<MemoryBudget> {
        Arc::new(MemoryBudget {
            total,
            used: Mutex::new(0),
        })
    }

    /// Takes so many MiB, if they are left.
    pub(crate) fn take(self: &Arc<MemoryBudget>, mib: u64) -> ApiResult<Share> {
        let mut used = self.used();
        if mib > self.total.saturating_sub(*used) {
            let message = format!(
                "{mib} MiB of memory are needed, and {} of {} are in use: finish or pause another game, or take a \
                 smaller hash (or start the server with a larger --memory)",
                *used, self.total
            );
            return Err(ApiError::too_many("no-memory", message));
        }
        *used += mib;
        Ok(Share {
            budget: Arc::clone(self),
            mib,
        })
    }

    /// The sum stays right whatever happens to a thread.
    fn used(&self) -> MutexGuard<'_, u64> {
        self.used.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        let mut used = self.budget.used();
        *used = used.saturating_sub(self.mib);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_taken_comes_back() {
        let budget = MemoryBudget::new(100);
        let first = budget.take(60).ok();
        let refused = budget.take(41).err().expect("too much");
        assert!(
            refused
                .message()
                .starts_with("41 MiB of memory are needed, and 60 of 100"),
            "{}",
            refused.message()
        );
        let second = budget.take(40).ok();
        assert!(first.is_some() && second.is_some() && budget.take(1).is_err() && budget.take(0).is_ok());
        drop(first);
        assert!(budget.take(60).is_ok() && budget.take(u64::MAX).is_err());
    }
}
