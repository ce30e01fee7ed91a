//! The identity provider, from where the server runs: what it says of itself, its keys, whether clients can sign in, and
//! what time it is there.

use auth::Provider;
use auth::provider::State as Known;
use auth::sign_in::{AUTHORIZE_PATH, examine as fitness};

use super::{Findings, State};
use crate::exit::chain;
use crate::settings::Served;

/// Where the base address lies on the origin.
const PREFIX: &str = "/api";

/// Seconds of difference between two clocks that are worth a word, and that make good tokens be refused.
const CLOCK_SECONDS_WARN: u64 = 5;
const CLOCK_SECONDS_MAX: u64 = 30;

pub(super) async fn examine(served: &Served, findings: &mut Findings) {
    let Some(settings) = served.provider.clone() else {
        return findings.fine("provider", "none is configured: personal access tokens only");
    };
    let provider = match Provider::new(settings) {
        Ok(provider) => provider,
        Err(error) => return findings.broken("provider", format!("PASSBOOK_OIDC_ISSUER: {}", chain(&error))),
    };
    let metadata = match provider.metadata().await {
        Ok(metadata) => metadata,
        Err(error) => {
            return findings.broken(
                "provider",
                format!(
                    "{error}: let PASSBOOK_OIDC_ISSUER be the issuer that the provider names, byte for byte, and \
                     reachable from this machine (PASSBOOK_OIDC_HOSTS allows further hosts)"
                ),
            );
        }
    };
    findings.fine("provider", format!("{} names itself so and answers", provider.issuer()));
    keys(&provider, findings).await;
    let proxy = format!("{}{PREFIX}{AUTHORIZE_PATH}", served.origin);
    let faults = fitness(&metadata, served.mode, &served.origin, &proxy);
    if faults.is_empty() {
        let mode = served.mode.as_str();
        findings.fine("sign-in", format!("clients can sign in at {} (mode {mode})", served.origin));
    }
    for fault in faults {
        if fault.refused {
            findings.broken("sign-in", fault.sentence);
        } else {
            findings.doubtful("sign-in", fault.sentence);
        }
    }
    clock(&provider, findings).await;
}

async fn keys(provider: &Provider, findings: &mut Findings) {
    let status = provider.check().await;
    let (usable, skipped) = (status.keys_usable, status.keys_skipped);
    match status.keys {
        Known::Absent { why } => {
            let why = why.map_or_else(|| "they were not fetched".to_owned(), |why| why.to_string());
            findings.broken("keys", format!("the provider's keys cannot be used: {why}: correct its jwks_uri"));
        }
        _ if usable == 0 => findings.broken(
            "keys",
            format!(
                "none can verify access tokens, {skipped} cannot: let the provider sign with ES256, RS256, PS256 or \
                 EdDSA (Supabase: JWT signing keys), a shared secret will not do"
            ),
        ),
        _ => findings.fine("keys", format!("{usable} can verify access tokens, {skipped} cannot")),
    }
}

/// Access tokens are checked by this machine's clock.
async fn clock(provider: &Provider, findings: &mut Findings) {
    const WHAT: &str = "clock";
    let Ok(Some(ahead)) = provider.clock_ahead_seconds().await else {
        return findings
            .doubtful(WHAT, "the provider does not say what time it is: compare the clocks yourself");
    };
    let (state, text) = clock_verdict(ahead);
    findings.0.push((state, WHAT, text));
}

/// What a difference in seconds means; positive when this machine is ahead.
fn clock_verdict(ahead: i64) -> (State, String) {
    let (by, direction) = (ahead.unsigned_abs(), if ahead < 0 { "behind" } else { "ahead of" });
    let said = format!("this machine is {by} s {direction} the provider");
    let mend = "set its time from the network (NTP)";
    if by > CLOCK_SECONDS_MAX {
        (State::Broken, format!("{said}, so good tokens are refused: {mend}"))
    } else if by > CLOCK_SECONDS_WARN {
        (
            State::Doubtful,
            format!("{said}, and from {CLOCK_SECONDS_MAX} s on good tokens are refused: {mend}"),
        )
    } else {
        (State::Fine, format!("within {CLOCK_SECONDS_WARN} s of the provider's"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_is_broken_from_where_tokens_are_refused() {
        for (ahead, expected) in [
            (0, State::Fine),
            (-5, State::Fine),
            (6, State::Doubtful),
            (-30, State::Doubtful),
            (31, State::Broken),
            (-31, State::Broken),
            (i64::MIN, State::Broken),
        ] {
            assert_eq!(clock_verdict(ahead).0, expected, "{ahead}");
        }
        assert!(clock_verdict(-31).1.contains("31 s behind the provider"));
        assert!(clock_verdict(31).1.contains("31 s ahead of the provider"));
    }
}
