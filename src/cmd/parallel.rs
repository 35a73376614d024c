//! Work on many things at once, with the results in order and memory bounded.
use std::{
    collections::BTreeMap,
    io,
    sync::{Mutex, PoisonError, mpsc},
    thread,
};

/// How many tasks for each worker may be on their way: read and not yet reported.
const AHEAD: usize = 4;

/// Does what `produce` hands out on `jobs` threads, and gives the results to `done` in the order in which
/// they were handed out. `produce` waits while more than a few tasks are on their way, so however much
/// there is to do, only that much is in memory. Each thread works with a state of its own.
///
/// # Errors
///
/// Stops at the first error of `done`, and where not even one thread can be started.
pub(super) fn in_order<W: Send, R: Send, S>(
    jobs: usize,
    produce: impl FnOnce(&mut dyn FnMut(W) -> bool) + Send,
    state: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, W) -> R + Sync,
    done: impl FnMut(R) -> io::Result<()>,
) -> io::Result<()> {
    let ahead = AHEAD * jobs;
    let (feed, tasks) = mpsc::sync_channel::<(usize, W)>(ahead);
    let (report, results) = mpsc::sync_channel::<(usize, R)>(ahead);
    let (give, tokens) = mpsc::sync_channel::<()>(ahead);
    for _ in 0..ahead {
        give.try_send(()).map_err(io::Error::other)?;
    }
    let tasks = Mutex::new(tasks);
    let take = || tasks.lock().unwrap_or_else(PoisonError::into_inner).recv();
    thread::scope(|scope| {
        // Whoever leaves here early drops these, and so lets the others end.
        let (give, results) = (give, results);
        thread::Builder::new().spawn_scoped(scope, move || {
            let mut next = 0;
            produce(&mut |task| {
                // Where nobody takes results any more, no more tasks are wanted.
                let is_wanted = tokens.recv().is_ok() && feed.send((next, task)).is_ok();
                next += 1;
                is_wanted
            });
        })?;
        let (take, state, work) = (&take, &state, &work);
        for worker in 0..jobs {
            let report = report.clone();
            let started = thread::Builder::new().spawn_scoped(scope, move || {
                let mut own = state();
                while let Ok((at, task)) = take() {
                    if report.send((at, work(&mut own, task))).is_err() {
                        break;
                    }
                }
            });
            match started {
                Ok(_) => {}
                // Where the system gives no more threads, those that run do all the work.
                Err(_) if worker > 0 => break,
                Err(error) => return Err(error),
            }
        }
        drop(report);
        collect(results, give, done)
    })
}

/// Hands over what arrives with its number, in the order of the numbers.
#[expect(
    clippy::needless_pass_by_value,
    reason = "to be dropped at the end, which the producer waits for"
)]
fn collect<R>(
    results: mpsc::Receiver<(usize, R)>,
    give: mpsc::SyncSender<()>,
    mut done: impl FnMut(R) -> io::Result<()>,
) -> io::Result<()> {
    let mut waiting = BTreeMap::new();
    let mut next = 0;
    for (at, result) in results {
        waiting.insert(at, result);
        while let Some(result) = waiting.remove(&next) {
            done(result)?;
            next += 1;
            // The producer may have ended.
            let _ = give.try_send(());
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn results_come_in_order_whatever_takes_longer() {
        for jobs in [1, 2, 7] {
            let mut order = Vec::new();
            in_order(
                jobs,
                |feed| (0..100u64).for_each(|n| assert!(feed(n))),
                || 0,
                |_, n| {
                    thread::sleep(Duration::from_micros((n * 37) % 11 * 50));
                    n
                },
                |n| {
                    order.push(n);
                    Ok(())
                },
            )
            .unwrap();
            assert_eq!(order, (0..100).collect::<Vec<_>>());
        }
    }

    #[test]
    fn an_error_at_the_end_stops_the_beginning() {
        let result = in_order(
            2,
            |feed| {
                let mut fed = 0;
                while feed(fed) {
                    fed += 1;
                }
                assert!(fed < 1000, "{fed} tasks were fed after the error");
            },
            || (),
            |(), n| n,
            |n| if n == 5 { Err(io::Error::other("enough")) } else { Ok(()) },
        );
        assert!(result.is_err());
    }
}
