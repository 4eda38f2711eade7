//! What a run works with; nothing here changes its result.

use std::num::NonZeroUsize;
use std::sync::Arc;

use vidmar_arena::{Executor, ThreadExecutor};

/// Threads for what is no game, and somebody who plays the games: threads as well, or machines elsewhere.
#[derive(Clone)]
pub struct Resources {
    /// Threads of this process for what is no game.
    pub threads: usize,
    /// Who plays the games. Its players stay alive from one list of games to the next.
    pub executor: Arc<dyn Executor + Send + Sync>,
}

impl Resources {
    /// So many threads of this process for everything.
    pub fn threads(threads: usize) -> Resources {
        let count = NonZeroUsize::new(threads).unwrap_or(NonZeroUsize::MIN);
        Resources {
            threads: count.get(),
            executor: Arc::new(ThreadExecutor::new(count)),
        }
    }
}
