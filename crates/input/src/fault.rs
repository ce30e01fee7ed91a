//! One fault: place, rule, allowed values and received value.

use std::fmt;

use crate::withholding::{shortened, without_tokens};

/// One broken rule. `Display` writes `place: rule; received value`.
///
/// A fault is created by [`Fault::new`] or [`Fault::verbatim`], which differ in their treatment of secrets.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Fault {
    /// The place: a JSON path such as `transactions[12].date`, `line 12, column USD`, or the name of a parameter or a
    /// setting.
    pub place: String,
    /// The rule as a clause: `must be a calendar date YYYY-MM-DD`.
    pub rule: String,
    /// Every allowed value, if the rule is a closed list that the message does not repeat.
    pub allowed: Vec<&'static str>,
    /// The received value as a message shows it; `None` if the value is absent or does not help.
    pub received: Option<String>,
}

impl Fault {
    /// Creates the last entry of a list, which states how many further faults it lacks.
    pub fn omitted(count: u64) -> Fault {
        Fault::new("and more", format!("{count} further faults are not listed"))
    }

    /// Creates a fault without a received value. Text that looks like a token is withheld from place and rule:
    /// [`without_tokens`].
    pub fn new(place: impl Into<String>, rule: impl Into<String>) -> Fault {
        Fault::verbatim(without_tokens(&place.into()), without_tokens(&rule.into()))
    }

    /// Creates a fault without a received value. Place and rule are repeated as given, so the caller must leave out
    /// secrets.
    pub fn verbatim(place: impl Into<String>, rule: impl Into<String>) -> Fault {
        Fault { place: place.into(), rule: rule.into(), allowed: Vec::new(), received: None }
    }

    /// Adds the received value. Text that looks like a token is withheld, and values over 80 characters are truncated.
    #[must_use]
    pub fn received(self, received: impl AsRef<str>) -> Fault {
        // Tokens are replaced before truncation, because half a token would not be recognised.
        self.received_verbatim(shortened(&without_tokens(received.as_ref())))
    }

    /// Adds the received value as given, so the caller must leave out secrets.
    #[must_use]
    pub fn received_verbatim(self, received: impl Into<String>) -> Fault {
        Fault { received: Some(received.into()), ..self }
    }

    /// Adds the values that the rule allows.
    #[must_use]
    pub fn with_allowed(self, allowed: impl Into<Vec<&'static str>>) -> Fault {
        Fault { allowed: allowed.into(), ..self }
    }

    /// Removes the received value, which may be a secret.
    #[must_use]
    pub(crate) fn without_received(self) -> Fault {
        Fault { received: None, ..self }
    }

    /// Returns rule and received value: `rule; received value`.
    pub fn message(&self) -> String {
        match &self.received {
            Some(received) => format!("{}; received {received}", self.rule),
            None => self.rule.clone(),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.message())
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
    }

    #[test]
    fn received_value_is_truncated_after_eighty_characters() {
        let received =
            |length| Fault::new("a", "b").received("é".repeat(length)).received.unwrap_or_default();
        assert_eq!(received(80), "é".repeat(80));
        assert_eq!(received(81), format!("{}…", "é".repeat(80)));
    }

    #[test]
    fn verbatim_text_is_repeated_as_given() {
        let received = TOKEN.repeat(2);
        let fault = Fault::verbatim(TOKEN, "must be short").received_verbatim(&received);
        assert_eq!(fault.message(), format!("must be short; received {received}"));
        assert_eq!(fault.to_string(), format!("{TOKEN}: must be short; received {received}"));
    }
}
