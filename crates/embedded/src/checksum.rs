//! Compares the checksum of a downloaded archive with the expected one.

use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha512};

use crate::error::Error;
use crate::install;

/// Compares the SHA-512 of a file with the expected value. Both are in base 64, as in npm's integrity texts.
///
/// # Errors
/// [`Error::ChecksumMismatch`], or [`Error::Io`] if the file cannot be read.
pub(crate) async fn check(file: &Path, expected: &str) -> Result<(), Error> {
    let path = file.to_owned();
    // Reading and hashing 24 MB would block the other tasks of this thread.
    let digest = tokio::task::spawn_blocking(move || std::fs::read(path).map(|bytes| Sha512::digest(&bytes)));
    let digest = digest.await.expect("hashing does not panic").map_err(Error::io("read", file))?;
    let found = STANDARD.encode(digest);
    if found == expected {
        return Ok(());
    }
    Err(Error::ChecksumMismatch { expected: expected.to_owned(), found, install: install::command() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn changed_byte_is_an_error_with_both_checksums() {
        // The SHA-512 of "abc" from FIPS 180-2.
        let expected =
            "3a81oZNherrMQXNJriBBMRLm+k6JqX6iCp7u5ktV05ohkpkqJ0/BqDa6PCOj/uu9RU1EI2Q86A4qmslPpUyknw==";
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("archive");
        std::fs::write(&file, "abc").expect("room");
        check(&file, expected).await.expect("the same");
        std::fs::write(&file, "abd").expect("room");
        let error = check(&file, expected).await.expect_err("another");
        assert!(matches!(error, Error::ChecksumMismatch { .. }), "{error}");
        assert!(error.to_string().contains(expected), "{error}");
    }
}
