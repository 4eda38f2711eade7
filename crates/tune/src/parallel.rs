//! Work that is no game, on several threads.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;

use vidmar_engine::Control;

/// `work` of `0..count` in order, done by so many threads; `observe` is called on the caller's thread whenever one is done.
/// None if it was stopped, or where `work` says that it was.
pub(crate) fn map<T: Send>(
    count: usize,
    threads: usize,
    control: &Control,
    work: impl Fn(usize) -> Option<T> + Sync,
    mut observe: impl FnMut(),
) -> Option<Vec<T>> {
    let next = AtomicUsize::new(0);
    let (sender, answers) = channel();
    let mut found: Vec<Option<T>> = (0..count).map(|_| None).collect();
    std::thread::scope(|scope| {
        for _ in 0..threads.clamp(1, count.max(1)) {
            let sender = sender.clone();
            let (next, work) = (&next, &work);
            scope.spawn(move || {
                while !control.is_stopped() {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    if index >= count {
                        return;
                    }
                    let Some(answer) = work(index) else { return };
                    if sender.send((index, answer)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        for (index, answer) in answers {
            found[index] = Some(answer);
            observe();
        }
    });
    found.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn every_piece_of_work_is_done_once_by_any_number_of_threads() {
        for threads in [1, 2, 8] {
            let mut done = 0;
            let squares = map(
                100,
                threads,
                &Control::new(),
                |index| Some(index * index),
                || done += 1,
            );
            assert_eq!(squares, Some((0..100).map(|i| i * i).collect()));
            assert_eq!(done, 100);
        }
    }

    #[test]
    fn what_is_stopped_has_no_answer() {
        let control = Control::new();
        let slow = |index: usize| {
            std::thread::sleep(Duration::from_millis(1));
            Some(index)
        };
        let stopped = map(1_000_000, 2, &control, slow, || control.stop());
        assert_eq!(stopped, None);
        assert_eq!(
            map(
                3,
                2,
                &Control::new(),
                |index| (index != 1).then_some(index),
                || ()
            ),
            None
        );
    }
}
