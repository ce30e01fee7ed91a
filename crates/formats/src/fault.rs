//! Faults of an input: place, rule and received value, without secrets.

use std::fmt;

/// Maximum number of faults that are kept. Further faults are only counted, so that a file of faults does not fill the
/// memory.
pub const FAULTS_KEPT_MAX: usize = 1_000;

/// Maximum length of a received value in a fault, in characters.
const RECEIVED_CHARS_MAX: usize = 80;

/// Minimum number of letters and digits after an underscore for a text to look like a token. Real tokens have more; the
/// margin also covers truncated ones.
const TOKEN_CHARS_MIN: usize = 30;

/// Replacement of a token.
const WITHHELD: &str = "(withheld)";

/// One fault of an input. Text that looks like a token is withheld from every part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The place: a JSON path such as `transactions[12].date`, or `line 12, column USD`.
    pub place: String,
    /// The rule as a clause: `must be a calendar date YYYY-MM-DD`.
    pub rule: String,
    /// The received value as written; `None` if the value is absent or does not help.
    pub received: Option<String>,
}

impl Fault {
    /// Creates a fault without a received value.
    pub fn new(place: impl Into<String>, rule: impl Into<String>) -> Fault {
        Fault { place: without_tokens(&place.into()), rule: without_tokens(&rule.into()), received: None }
    }

    /// Adds the received value. Values over 80 characters are truncated.
    #[must_use]
    pub fn received(self, received: impl AsRef<str>) -> Fault {
        // Tokens are replaced before truncation, because half a token would not be recognised.
        let received = without_tokens(received.as_ref());
        let shortened = match received.char_indices().nth(RECEIVED_CHARS_MAX) {
            Some((end, _)) => format!("{}…", &received[..end]),
            None => received,
        };
        Fault { received: Some(shortened), ..self }
    }

    /// Removes the received value, which may be a secret.
    #[must_use]
    fn without_received(self) -> Fault {
        Fault { received: None, ..self }
    }

    /// Returns true if a text contains what looks like a token: a lower-case prefix that ends in an underscore,
    /// followed by at least 30 letters and digits.
    pub fn withholds(text: &str) -> bool {
        next_token(text).is_some()
    }
}

/// Replaces everything that looks like a token.
fn without_tokens(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((start, end)) = next_token(rest) {
        kept.push_str(&rest[..start]);
        kept.push_str(WITHHELD);
        rest = &rest[end..];
    }
    kept + rest
}

/// Returns start and end of the first part that looks like a token.
fn next_token(text: &str) -> Option<(usize, usize)> {
    let bytes = text.as_bytes();
    let is_prefix = |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || *byte == b'_';
    let mut underscores = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'_').map(|(at, _)| at);
    underscores.find_map(|at| {
        let opaque = bytes[at + 1..].iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
        let prefix = bytes[..at].iter().rev().take_while(|byte| is_prefix(byte)).count();
        // After a capital letter the text is a code, such as a provider's category.
        let is_code =
            prefix == 0 && at.checked_sub(1).is_some_and(|before| bytes[before].is_ascii_uppercase());
        (opaque >= TOKEN_CHARS_MIN && !is_code).then_some((at - prefix, at + 1 + opaque))
    })
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The fields are public, so a fault may have been created without [`Fault::new`].
        write!(f, "{}: {}", without_tokens(&self.place), without_tokens(&self.rule))?;
        match &self.received {
            Some(received) => write!(f, "; received {}", without_tokens(received)),
            None => Ok(()),
        }
    }
}

/// The faults of one input. Keeps the first [`FAULTS_KEPT_MAX`] and counts the rest.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Faults {
    kept: Vec<Fault>,
    /// Faults that were found but not kept.
    omitted: u64,
}

impl Faults {
    /// Adds a fault.
    pub fn add(&mut self, fault: Fault) {
        if self.kept.len() < FAULTS_KEPT_MAX {
            self.kept.push(fault);
        } else {
            self.omitted += 1;
        }
    }

    /// Counts faults that are known by their number only.
    pub fn add_omitted(&mut self, count: u64) {
        self.omitted += count;
    }

    /// Adds all faults of another collection.
    pub fn append(&mut self, other: Faults) {
        self.extend(other.kept);
        self.omitted += other.omitted;
    }

    /// Returns true if no fault was found.
    pub fn is_empty(&self) -> bool {
        self.kept.is_empty() && self.omitted == 0
    }

    /// Returns the number of faults found, including those that were not kept.
    pub fn count(&self) -> u64 {
        self.kept.len() as u64 + self.omitted
    }

    /// Returns the value if no fault was found.
    ///
    /// # Errors
    /// The faults.
    pub fn none_or<T>(self, value: T) -> Result<T, Faults> {
        if self.is_empty() { Ok(value) } else { Err(self) }
    }

    /// Removes the received value from every fault, for input that may be a secret.
    #[must_use]
    pub fn without_received(self) -> Faults {
        Faults { kept: self.kept.into_iter().map(Fault::without_received).collect(), ..self }
    }

    /// Returns the faults in the order found. If some were not kept, a last entry states their number.
    pub fn into_list(mut self) -> Vec<Fault> {
        if self.omitted > 0 {
            self.kept.push(Fault::new("and more", format!("{} further faults are not listed", self.omitted)));
        }
        self.kept
    }
}

impl Extend<Fault> for Faults {
    fn extend<I: IntoIterator<Item = Fault>>(&mut self, faults: I) {
        faults.into_iter().for_each(|fault| self.add(fault));
    }
}

impl IntoIterator for Faults {
    type Item = Fault;
    type IntoIter = std::vec::IntoIter<Fault>;

    fn into_iter(self) -> Self::IntoIter {
        self.into_list().into_iter()
    }
}

impl From<Fault> for Faults {
    fn from(fault: Fault) -> Faults {
        Faults { kept: vec![fault], omitted: 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOKEN: &str = "acme_2_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZab";

    #[test]
    fn tokens_are_withheld_from_every_part_of_a_fault() {
        let fault = Fault::new(format!("users[0].{TOKEN}"), format!("is not {TOKEN}, nor {TOKEN}"));
        let long = format!("{}{TOKEN} é", "x ".repeat(30));
        assert_eq!(
            fault.received(long).to_string(),
            format!(
                "users[0].(withheld): is not (withheld), nor (withheld); received {}(withheld) é",
                "x ".repeat(30)
            )
        );
        assert_eq!(without_tokens("_0123456789abcdefghijABCDEFGHIJ"), WITHHELD);
    }

    #[test]
    fn texts_that_are_not_tokens_are_repeated() {
        for text in [
            "",
            "_",
            "personal_access_tokens_token_hash_key",
            "pbk_0123456789abcdefghijABCDEFGHI",
            "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
            "INCOME_0123456789abcdefghijABCDEFGHIJ",
            "é_é",
        ] {
            assert_eq!(without_tokens(text), text);
        }
    }
}
