//! The rule of e-mail addresses.

use passbook_input::Fault;

/// Maximum length of an e-mail address, in characters.
const EMAIL_CHARACTERS_MAX: usize = 320;

/// Returns the fault of a new e-mail address.
pub(super) fn email_fault(email: &str) -> Option<Fault> {
    if passbook_input::contains_token(email) {
        return Some(Fault::new("email", "must not contain a token, because addresses are displayed"));
    }
    (!is_address(email)).then(|| Fault::new("email", "must be an e-mail address").received(email))
}

fn is_address(text: &str) -> bool {
    let parts = text.split_once('@');
    parts.is_some_and(|(who, host)| !who.is_empty() && !host.is_empty())
        && text.chars().count() <= EMAIL_CHARACTERS_MAX
        && !text.chars().any(|character| character.is_whitespace() || character.is_control())
}
