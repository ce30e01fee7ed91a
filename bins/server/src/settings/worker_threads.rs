//! The number of threads that handle requests.

use std::num::NonZeroUsize;
use std::thread;

use passbook_settings::Reader;

/// Reads the number of threads.
pub(super) fn read(reader: &mut Reader<'_>) -> NonZeroUsize {
    let processors = thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    worker_threads(reader.number("PASSBOOK_WORKER_THREADS"), processors)
}

/// Returns the number as set, or half of the processors for 0. Each result of PostgreSQL wakes a thread that sleeps. With
/// more threads than the server keeps busy, more of them sleep, and every request needs more processor time.
fn worker_threads(set: usize, processors: NonZeroUsize) -> NonZeroUsize {
    let half = NonZeroUsize::new(processors.get() / 2).unwrap_or(NonZeroUsize::MIN);
    NonZeroUsize::new(set).unwrap_or(half)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_of_the_processors_handle_requests_unless_a_number_is_set() {
        let threads = |set, processors| {
            worker_threads(set, NonZeroUsize::new(processors).expect("a number above 0")).get()
        };
        assert_eq!([threads(0, 1), threads(0, 2), threads(0, 3), threads(0, 16)], [1, 1, 1, 8]);
        assert_eq!([threads(1, 16), threads(12, 4)], [1, 12]);
    }
}
