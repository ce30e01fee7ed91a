//! A personal access token on standard input. No message contains it.

use std::io::{IsTerminal as _, Read as _};

use passbook_auth::personal_access_token::PlainToken;
use passbook_input::Fault;

use crate::error::CommandError;
use crate::output;

/// Maximum number of bytes that are read: a token with the longest prefix has 54 characters.
const BYTES_MAX: u64 = 1024;

/// Reads a token of any prefix: the prefix in the settings may be newer than the token.
pub(super) fn read_from_standard_input() -> Result<PlainToken, CommandError> {
    let stdin = std::io::stdin();
    if stdin.is_terminal() {
        output::note("enter the token, then press Enter and Ctrl-D");
    }
    let mut text = String::new();
    let read = stdin.lock().take(BYTES_MAX).read_to_string(&mut text);
    let fault = |rule: String| CommandError::input(Fault::new("standard input", rule));
    read.map_err(|error| fault(format!("must be readable text: {error}")))?;
    let rule = "must be one personal access token: a prefix such as pbk_ and 38 letters and digits, of which the last \
                six are a checksum";
    PlainToken::parse_with_any_prefix(text.trim()).ok_or_else(|| fault(rule.to_owned()))
}
