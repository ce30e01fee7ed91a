//! Processor time and memory of other processes, from `/proc` (proc(5)).

use std::path::Path;

use crate::command::read;

/// Clock ticks per second of the times in `/proc/PID/stat`. Linux fixes this unit for programs (`USER_HZ`).
const TICKS_PER_SECOND: f64 = 100.0;
/// Positions in `/proc/PID/stat` after the name of the program, from zero.
const PARENT: usize = 1;
const OWN_USER: usize = 11;
const CHILDREN_SYSTEM: usize = 14;

/// Returns the processor time of a process so far, with all its threads, in seconds.
pub(crate) fn of_process(process: u32) -> Result<f64, String> {
    let fields = stat(process).ok_or_else(|| format!("process {process} has ended"))?;
    Ok(sum(&fields[OWN_USER..OWN_USER + 2]))
}

/// Returns the processor time of a process, its children, and its children that have ended, in seconds.
pub(crate) fn of_family(parent: u32) -> Result<f64, String> {
    let fields = stat(parent).ok_or_else(|| format!("process {parent} has ended"))?;
    let mut seconds = sum(&fields[OWN_USER..=CHILDREN_SYSTEM]);
    let entries = Path::new("/proc").read_dir().map_err(|error| format!("/proc: {error}"))?;
    for entry in entries.filter_map(Result::ok) {
        let process = entry.file_name().to_str().and_then(|name| name.parse().ok());
        let Some(fields) = process.and_then(stat) else { continue };
        if fields[PARENT] == u64::from(parent) {
            seconds += sum(&fields[OWN_USER..OWN_USER + 2]);
        }
    }
    Ok(seconds)
}

/// Returns the resident memory of a process, in bytes.
pub(crate) fn resident_bytes(process: u32) -> Result<u64, String> {
    let text = read(Path::new(&format!("/proc/{process}/status")))?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kibibytes = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
    kibibytes.map(|kibibytes| kibibytes * 1024).ok_or_else(|| format!("process {process} has no VmRSS"))
}

/// Returns the numbers of `/proc/PID/stat` after the name of the program. A field that is no number is 0.
fn stat(process: u32) -> Option<Vec<u64>> {
    let text = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name is in brackets and may contain spaces and brackets.
    let (_, rest) = text.rsplit_once(')')?;
    let fields: Vec<u64> = rest.split_whitespace().map(|field| field.parse().unwrap_or(0)).collect();
    (fields.len() > CHILDREN_SYSTEM).then_some(fields)
}

#[expect(clippy::cast_precision_loss, reason = "ticks of a benchmark are far below 2^53")]
fn sum(ticks: &[u64]) -> f64 {
    ticks.iter().sum::<u64>() as f64 / TICKS_PER_SECOND
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_of_this_process_is_measured() {
        let process = std::process::id();
        let before = of_process(process).expect("this process runs");
        let mut number = 1_u64;
        while of_process(process).expect("this process runs") < before + 0.02 {
            number = std::hint::black_box(number.wrapping_mul(3));
        }
        assert!(of_family(process).expect("this process runs") >= before + 0.02);
        assert!(resident_bytes(process).expect("this process runs") > 100_000);
    }
}
