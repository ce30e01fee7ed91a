//! The checks of files of this machine: that the disk of the embedded database has space, and that the certificate of the
//! server's own TLS is valid now and for some time.

use std::path::Path;

use jiff::Timestamp;
use nix::sys::statvfs::statvfs;
use x509_cert::Certificate;
use x509_cert::der::Decode as _;

use super::{Findings, State};

/// The subject of the findings.
const DISK: &str = "disk";
/// Free space below which `doctor` warns, in MiB.
const FREE_WARN: u64 = 1024;
/// Free space below which PostgreSQL may fail, in MiB: some files of its write-ahead log.
const FREE_MIN: u64 = 128;

/// Examines the file system of a folder.
pub(super) fn examine_disk(folder: &Path, findings: &mut Findings) {
    let name = folder.display();
    match statvfs(folder) {
        Ok(system) => {
            #[allow(clippy::useless_conversion, reason = "the number has 32 bits on macOS")]
            let free = u64::from(system.blocks_available()).saturating_mul(system.fragment_size()) >> 20;
            let (state, text) = disk_verdict(free);
            findings.add(state, DISK, format!("{name}: {text}"));
        }
        Err(error) => findings.warning(DISK, format!("the free space of {name} is unknown: {error}")),
    }
}

fn disk_verdict(free: u64) -> (State, String) {
    let remedy = "free some, or move the data folder";
    match free {
        0..FREE_MIN => (State::Broken, format!("only {free} MiB are free, so PostgreSQL may stop: {remedy}")),
        FREE_MIN..FREE_WARN => (State::Warning, format!("only {free} MiB are free: {remedy}")),
        _ => (State::Ok, format!("{free} MiB are free")),
    }
}

/// The subject of the findings.
const CERTIFICATE: &str = "certificate";
/// Remaining days of validity below which `doctor` warns.
const DAYS_WARN: i64 = 21;
const SECONDS_PER_DAY: i64 = 86_400;

/// Examines the first certificate of a file in PEM, and reads its key.
pub(super) fn examine_certificate(chain: &Path, key: &Path, findings: &mut Findings) {
    let name = chain.display();
    match validity(chain, key) {
        Ok(validity) => {
            let (state, text) = certificate_verdict(validity, Timestamp::now().as_second());
            findings.add(state, CERTIFICATE, format!("{name}: {text}"));
        }
        Err(reason) => findings.broken(
            CERTIFICATE,
            format!(
                "{reason}: PASSBOOK_TLS_CERTIFICATE must name a certificate chain, and PASSBOOK_TLS_KEY its key, both in PEM"
            ),
        ),
    }
}

/// The first and the last second of a certificate's validity, since 1970.
#[derive(Clone, Copy, Debug)]
struct Validity {
    first: i64,
    last: i64,
}

fn validity(chain: &Path, key: &Path) -> Result<Validity, String> {
    let files = passbook_transport::Certificate::read(chain, key).map_err(|error| error.to_string())?;
    let own = Certificate::from_der(&files.own())
        .map_err(|error| format!("{} has no certificate: {error}", chain.display()))?;
    let validity = own.tbs_certificate().validity();
    let seconds =
        |time: x509_cert::time::Time| i64::try_from(time.to_unix_duration().as_secs()).unwrap_or(i64::MAX);
    Ok(Validity { first: seconds(validity.not_before), last: seconds(validity.not_after) })
}

fn certificate_verdict(Validity { first, last }: Validity, now: i64) -> (State, String) {
    let days = (last - now).div_euclid(SECONDS_PER_DAY);
    let until =
        Timestamp::from_second(last).map_or_else(|_| "an unknown time".to_owned(), |last| last.to_string());
    if now > last {
        (State::Broken, format!("it expired at {until}: renew it"))
    } else if now < first {
        (State::Broken, "it is not valid yet: check the clock of this machine".to_owned())
    } else if days < DAYS_WARN {
        (State::Warning, format!("it expires in {days} days, at {until}: renew it"))
    } else {
        (State::Ok, format!("it is valid for {days} days, until {until}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdict_depends_on_the_free_space() {
        for (free, expected) in [
            (FREE_MIN - 1, State::Broken),
            (FREE_MIN, State::Warning),
            (FREE_WARN - 1, State::Warning),
            (FREE_WARN, State::Ok),
        ] {
            assert_eq!(disk_verdict(free).0, expected, "{free}");
        }
    }

    #[test]
    fn verdict_depends_on_the_days_left() {
        let validity = Validity { first: 0, last: 100 * SECONDS_PER_DAY };
        for (day, expected) in [
            (-1, State::Broken),
            (0, State::Ok),
            (79, State::Ok),
            (80, State::Warning),
            (100, State::Warning),
            (101, State::Broken),
        ] {
            assert_eq!(certificate_verdict(validity, day * SECONDS_PER_DAY).0, expected, "day {day}");
        }
    }

    #[test]
    fn validity_of_a_certificate_is_read() {
        let mut parameters = rcgen::CertificateParams::new(vec!["money.example".to_owned()]).expect("a name");
        parameters.not_before = rcgen::date_time_ymd(2026, 1, 1);
        parameters.not_after = rcgen::date_time_ymd(2026, 1, 2);
        let key = rcgen::KeyPair::generate().expect("a key");
        let certificate = parameters.self_signed(&key).expect("a certificate");
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("chain.pem");
        // Other sections are allowed, so a certificate and its key may be in one file.
        std::fs::write(&file, certificate.pem() + &key.serialize_pem()).expect("the file is written");
        let validity = validity(&file, &file).expect("a certificate");
        assert_eq!(validity.last - validity.first, SECONDS_PER_DAY);
        let of_another = rcgen::KeyPair::generate().expect("a key").serialize_pem();
        for wrong in [certificate.pem() + &of_another, key.serialize_pem(), certificate.pem()] {
            std::fs::write(&file, wrong).expect("the file is written");
            assert!(super::validity(&file, &file).is_err());
        }
    }
}
