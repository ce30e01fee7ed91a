//! Whether a fetched archive is the pinned one, to the byte.

use std::path::Path;

use sha2::{Digest, Sha512};

use crate::{Error, install};

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Compares the file's SHA-512 with the expected one, in base 64 as npm writes it.
pub(crate) async fn check(file: &Path, expected: &str) -> Result<(), Error> {
    let path = file.to_owned();
    // Some 24 MB: too long for a thread that serves others.
    let digest = tokio::task::spawn_blocking(move || std::fs::read(path).map(|bytes| Sha512::digest(&bytes)));
    let digest = digest.await.expect("hashing does not panic").map_err(Error::io("read", file))?;
    let found = base64(&digest);
    if found == expected {
        return Ok(());
    }
    Err(Error::ChecksumMismatch { expected: expected.to_owned(), found, install: install::command() })
}

fn base64(bytes: &[u8]) -> String {
    let mut text = String::new();
    for three in bytes.chunks(3) {
        let byte = |index: usize| u32::from(three.get(index).copied().unwrap_or_default());
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for index in 0..4 {
            let letter = ALPHABET[(bits >> (18 - 6 * index) & 0b11_1111) as usize];
            text.push(if index > three.len() { '=' } else { char::from(letter) });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_that_of_rfc_4648() {
        let pairs = [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="),
        ];
        for (plain, expected) in pairs {
            assert_eq!(base64(plain.as_bytes()), expected, "{plain}");
        }
        assert_eq!(base64(&[0xfb, 0xff, 0xbf]), "+/+/");
    }

    #[tokio::test]
    async fn one_changed_byte_is_refused_with_both_checksums() {
        // The well-known digest of "abc".
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
