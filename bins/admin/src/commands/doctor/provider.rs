//! The checks of the identity provider from this machine: its discovery document, its keys, the sign-in of clients, and
//! the difference between the clocks.

use passbook_auth::Provider;
use passbook_auth::authorization_proxy::AUTHORIZE_PATH;
use passbook_auth::compatibility::check as check_compatibility;
use passbook_auth::provider::State as DocumentState;
use passbook_settings::remedies;

use super::{Findings, State};
use crate::error::chain;
use crate::settings::ServerSettings;

/// The path of the base address below the origin.
const BASE_PATH: &str = "/api";
/// Clock difference from which `doctor` warns, in seconds.
const CLOCK_SECONDS_WARN: u64 = 5;
/// Clock difference up to which access tokens are accepted, in seconds.
const CLOCK_SECONDS_MAX: u64 = 30;

/// Examines the identity provider.
pub(super) async fn examine(server: &ServerSettings, findings: &mut Findings) {
    const SUBJECT: &str = "provider";
    let Some(settings) = server.provider.clone() else {
        return findings.ok(
            SUBJECT,
            "none is configured (PASSBOOK_OIDC_ISSUER is not set): personal access tokens only",
        );
    };
    let provider = match Provider::new(settings) {
        Ok(provider) => provider,
        Err(error) => return findings.broken(SUBJECT, format!("PASSBOOK_OIDC_ISSUER: {}", chain(&error))),
    };
    let metadata = match provider.discovery_document().await {
        Ok(metadata) => metadata,
        Err(error) => {
            return findings.broken(
                SUBJECT,
                format!(
                    "{error}: PASSBOOK_OIDC_ISSUER must equal the issuer in the provider's documents byte for byte and \
                     be reachable from this machine (PASSBOOK_OIDC_HOSTS allows further hosts)"
                ),
            );
        }
    };
    findings
        .ok(SUBJECT, format!("{} answers, and its discovery document names this issuer", provider.issuer()));
    examine_keys(&provider, findings).await;
    let proxy = format!("{}{BASE_PATH}{AUTHORIZE_PATH}", server.origin);
    let incompatibilities = check_compatibility(&metadata, server.mode, &server.origin, &proxy);
    if incompatibilities.is_empty() {
        let mode = server.mode.as_str();
        findings.ok("sign-in", format!("clients can sign in at {} (mode {mode})", server.origin));
    }
    for incompatibility in incompatibilities {
        let state = if incompatibility.refused { State::Broken } else { State::Warning };
        findings.add(state, "sign-in", remedies::sign_in_finding(&incompatibility));
    }
    examine_clock(&provider, findings).await;
}

async fn examine_keys(provider: &Provider, findings: &mut Findings) {
    const SUBJECT: &str = "keys";
    let status = provider.check().await;
    let (usable, skipped) = (status.keys_usable, status.keys_skipped);
    match status.keys {
        DocumentState::Absent { why } => {
            let reason = why.map_or_else(|| "they were not fetched".to_owned(), |why| why.to_string());
            findings.broken(
                SUBJECT,
                format!("the provider's signing keys cannot be used: {reason}: correct the jwks_uri of the provider"),
            );
        }
        _ if usable == 0 => findings.broken(
            SUBJECT,
            format!(
                "none of the provider's {skipped} keys can verify access tokens: let the provider sign with ES256, \
                 RS256, PS256 or EdDSA (Supabase: JWT signing keys); a shared secret cannot be used"
            ),
        ),
        _ => findings.ok(SUBJECT, format!("{usable} can verify access tokens, {skipped} cannot")),
    }
}

/// Compares the clocks: this machine's clock decides when an access token expires.
async fn examine_clock(provider: &Provider, findings: &mut Findings) {
    const SUBJECT: &str = "clock";
    let Ok(Some(ahead)) = provider.clock_ahead_seconds().await else {
        return findings.warning(
            SUBJECT,
            "the provider returned no Date header: compare the clocks of both machines yourself",
        );
    };
    let (state, text) = clock_verdict(ahead);
    findings.add(state, SUBJECT, text);
}

/// The finding for a difference in seconds, positive if this machine is ahead.
fn clock_verdict(ahead: i64) -> (State, String) {
    let (seconds, direction) = (ahead.unsigned_abs(), if ahead < 0 { "behind" } else { "ahead of" });
    let difference = format!("this machine is {seconds} s {direction} the provider");
    let remedy = "set its time from the network (NTP)";
    if seconds > CLOCK_SECONDS_MAX {
        (State::Broken, format!("{difference}, so that valid tokens are rejected: {remedy}"))
    } else if seconds > CLOCK_SECONDS_WARN {
        let text =
            format!("{difference}; with more than {CLOCK_SECONDS_MAX} s valid tokens are rejected: {remedy}");
        (State::Warning, text)
    } else {
        (State::Ok, format!("within {CLOCK_SECONDS_WARN} s of the provider's clock"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clock_is_broken_when_valid_tokens_are_rejected() {
        for (ahead, expected) in [
            (0, State::Ok),
            (-5, State::Ok),
            (6, State::Warning),
            (-30, State::Warning),
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
