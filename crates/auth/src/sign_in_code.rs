//! A sign-in code: a text that is exchanged for a token once, within ten minutes. A program prints it as part of an
//! address, so that a person opens the page signed in without seeing a token.
//!
//! The token waits in a file, encrypted with AES-256-GCM-SIV under the code. So the file alone gives access to nothing,
//! and the code works only where the file is. The end of the ten minutes stands in the file and is authenticated with it.

use std::fs::OpenOptions;
use std::io::{Error, ErrorKind, Read as _, Result, Write as _};
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _, fchown};
use std::path::{Path, PathBuf};

use aws_lc_rs::aead::{AES_256_GCM_SIV, Aad, NONCE_LEN, Nonce, RandomizedNonceKey};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use nix::libc::{O_NOFOLLOW, O_NONBLOCK};

/// Time within which a code must be exchanged, in seconds.
const LIFETIME_SECONDS: i64 = 600;
/// Number of random bytes of a code, which are the key of the file.
const CODE_BYTES: usize = 32;
/// Name of the file.
const FILE: &str = "sign-in-code";
/// Maximum size of the file that is read, in bytes.
const FILE_BYTES_MAX: u64 = 4096;

/// The file of a sign-in code. Several processes can exchange the code; one of them gets the token.
#[derive(Clone, Debug)]
pub struct SignInFile(PathBuf);

impl SignInFile {
    /// Names the file in a folder that no other account can write to.
    #[must_use]
    pub fn in_folder(folder: &Path) -> SignInFile {
        SignInFile(folder.join(FILE))
    }

    /// Stores a token at `now`, in seconds since 1970, in place of an earlier one. Returns the code: 43 characters of
    /// base64url. It belongs into the fragment of an address, which browsers send to no server.
    ///
    /// # Errors
    /// The file cannot be written.
    ///
    /// # Panics
    /// If the operating system provides no random bytes.
    pub fn store(&self, token: &str, now: i64) -> Result<String> {
        let mut code = [0; CODE_BYTES];
        getrandom::fill(&mut code).expect("the operating system provides random bytes");
        let expires = now.saturating_add(LIFETIME_SECONDS).to_string();
        let mut sealed = token.as_bytes().to_vec();
        let nonce = key(&code).seal_in_place_append_tag(Aad::from(&expires), &mut sealed);
        let nonce = nonce.expect("a token is shorter than the limit of the algorithm");
        let sealed = URL_SAFE_NO_PAD.encode([&nonce.as_ref()[..], &sealed].concat());
        self.remove()?;
        // A new file: nothing is written through a link, or into a file that is open elsewhere.
        let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&self.0)?;
        // Root gives the file to the owner of the folder, as whom the server runs. Others may not, and need not.
        if let Some(Ok(folder)) = self.0.parent().map(std::fs::metadata) {
            drop(fchown(&file, Some(folder.uid()), Some(folder.gid())));
        }
        writeln!(file, "{expires} {sealed}")?;
        Ok(URL_SAFE_NO_PAD.encode(code))
    }

    /// Returns the token the first time that the right code is presented within ten minutes.
    #[must_use]
    pub fn exchange(&self, code: &str, now: i64) -> Option<String> {
        let code = URL_SAFE_NO_PAD.decode(code).ok()?.try_into().ok()?;
        let token = open(&self.read(now)?, &code)?;
        // Of several requests with the code, the one that removes the file gets the token.
        self.report(self.remove())?.then_some(token)
    }

    /// Removes the file if its code has expired.
    pub fn remove_expired(&self, now: i64) {
        self.read(now);
    }

    /// Returns the text of the file; `None` without one. Removes an expired file.
    fn read(&self, now: i64) -> Option<String> {
        // O_NONBLOCK: opening a pipe does not wait.
        let file = OpenOptions::new().read(true).custom_flags(O_NOFOLLOW | O_NONBLOCK).open(&self.0);
        let mut text = String::new();
        let read = file.and_then(|file| file.take(FILE_BYTES_MAX).read_to_string(&mut text));
        if read.as_ref().is_err_and(|error| error.kind() == ErrorKind::NotFound) {
            return None;
        }
        self.report(read)?;
        let expires: i64 = text.split(' ').next()?.parse().ok()?;
        if now >= expires {
            self.report(self.remove())?;
            return None;
        }
        Some(text)
    }

    /// Removes the file. Returns false if there is none.
    fn remove(&self) -> Result<bool> {
        match std::fs::remove_file(&self.0) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Logs an error: the caller, who may be anyone, only learns that there is no such code.
    fn report<T>(&self, result: Result<T>) -> Option<T> {
        let warn = |error: &Error| tracing::warn!(file = %self.0.display(), %error, "the file of the sign-in code cannot be used");
        result.inspect_err(warn).ok()
    }
}

fn key(code: &[u8; CODE_BYTES]) -> RandomizedNonceKey {
    RandomizedNonceKey::new(&AES_256_GCM_SIV, code).expect("the code has the length of a key")
}

/// Returns the token in the text of a file; `None` if the code is another one or the text was changed.
fn open(text: &str, code: &[u8; CODE_BYTES]) -> Option<String> {
    let (expires, sealed) = text.trim_end().split_once(' ')?;
    let mut nonce = URL_SAFE_NO_PAD.decode(sealed).ok()?;
    let mut sealed = nonce.split_off(NONCE_LEN.min(nonce.len()));
    let nonce = Nonce::try_assume_unique_for_key(&nonce).ok()?;
    let token = key(code).open_in_place(nonce, Aad::from(expires), &mut sealed).ok()?;
    String::from_utf8(token.to_vec()).ok()
}

#[cfg(test)]
mod tests {
    use std::fs::{metadata, read_to_string, write};
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    use std::sync::Barrier;

    use super::*;

    const NOW: i64 = 1_800_000_000;

    fn folder() -> (tempfile::TempDir, PathBuf, SignInFile) {
        let folder = tempfile::tempdir().expect("a folder");
        let (path, file) = (folder.path().join(FILE), SignInFile::in_folder(folder.path()));
        (folder, path, file)
    }

    #[test]
    fn token_is_exchanged_once_by_the_right_code() {
        let (_folder, path, file) = folder();
        let replaced = file.store("first", NOW).expect("stored");
        let code = file.store("token", NOW).expect("stored");
        let mode = metadata(&path).expect("a file").permissions().mode();
        assert_eq!((code.len(), mode & 0o777), (43, 0o600));
        assert!(!read_to_string(&path).expect("text").contains("token"));
        for wrong in ["", "wrong", &code[1..], &replaced, &format!("{code}A")] {
            assert_eq!(file.exchange(wrong, NOW), None, "{wrong}");
        }
        assert_eq!(file.exchange(&code, NOW).as_deref(), Some("token"));
        assert_eq!((file.exchange(&code, NOW), path.exists()), (None, false));
    }

    #[test]
    fn one_of_several_servers_gets_the_token() {
        let (folder, _, file) = folder();
        for round in 0..50 {
            let (code, start) = (&file.store("token", NOW).expect("stored"), &Barrier::new(4));
            let tokens = std::thread::scope(|scope| {
                let exchange = |server: SignInFile| {
                    scope.spawn(move || {
                        start.wait();
                        server.exchange(code, NOW)
                    })
                };
                let servers = [0; 4].map(|_| SignInFile::in_folder(folder.path()));
                servers.map(exchange).map(|server| server.join().expect("no panic"))
            });
            assert_eq!(tokens.into_iter().flatten().count(), 1, "{round}");
        }
    }

    #[test]
    fn code_expires_after_ten_minutes() {
        for (seconds, expected) in [(599, Some("token")), (600, None), (i64::MAX - NOW, None)] {
            let (_folder, path, file) = folder();
            let code = file.store("token", NOW).expect("stored");
            file.remove_expired(NOW + seconds);
            assert_eq!(path.exists(), expected.is_some(), "{seconds}");
            assert_eq!(file.exchange(&code, NOW + seconds).as_deref(), expected, "{seconds}");
        }
    }

    #[test]
    fn changed_file_gives_no_token() {
        let (_folder, path, file) = folder();
        let code = file.store("token", NOW).expect("stored");
        let text = read_to_string(&path).expect("text");
        let (expires, sealed) = text.split_once(' ').expect("two parts");
        let later = format!("{} {sealed}", expires.replacen('1', "2", 1));
        for changed in ["", "2000000000", "2000000000 ", "2000000000 AAAA", &later] {
            write(&path, changed).expect("written");
            assert_eq!(file.exchange(&code, NOW), None, "{changed}");
            assert!(path.exists(), "{changed}");
        }
        write(&path, text).expect("written");
        assert_eq!(file.exchange(&code, NOW).as_deref(), Some("token"));
    }

    #[test]
    fn links_are_not_followed() {
        let (folder, path, file) = folder();
        let other = folder.path().join("other");
        let code = file.store("token", NOW).expect("stored");
        std::fs::rename(&path, &other).expect("renamed");
        symlink(&other, &path).expect("a link");
        assert_eq!(file.exchange(&code, NOW), None);
        let sealed = read_to_string(&other).expect("text");
        file.store("token", NOW).expect("stored");
        assert_eq!(read_to_string(&other).expect("text"), sealed);
    }
}
