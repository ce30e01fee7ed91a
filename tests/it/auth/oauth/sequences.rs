//! Sequences of steps: the provider rotates its keys or fails, time passes, and tokens are checked. Each file of
//! `sequences` has the cases of one subject; `sequences/keys.txt` describes the steps. `crates/auth` covers floods of
//! personal access tokens.

use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv4Addr};

use futures_util::FutureExt as _;
use passbook_auth::provider::State;
use passbook_web::HttpError;
use serde_json::json;
use tests::provider::{Checker, IdentityProvider, NOON, ResponseMode};
use tests::signer::{Signer, base64};

use super::{USER, changed, checker_with_short_timeout};

const ADDRESS: IpAddr = IpAddr::V4(Ipv4Addr::new(192, 0, 2, 1));

/// A provider, the checker of its tokens, and the keys and tokens of a case by their names.
struct Sequence {
    provider: IdentityProvider,
    checker: Checker,
    signers: BTreeMap<String, Signer>,
    tokens: BTreeMap<String, String>,
    /// Number of forged tokens so far.
    forged: u64,
    /// Number of requests to the provider at the last step `count`.
    counted: usize,
    failure: ResponseMode,
}

impl Sequence {
    async fn start(failure: ResponseMode) -> Sequence {
        let provider = IdentityProvider::start(&[]).await;
        let checker = checker_with_short_timeout(&provider);
        let (signers, tokens) = (BTreeMap::new(), BTreeMap::new());
        Sequence { provider, checker, signers, tokens, forged: 0, counted: 0, failure }
    }

    fn signer(&mut self, key: &str) -> &Signer {
        let (id, kind) = key.split_once('#').unwrap_or((key, ""));
        let algorithm = if kind == "RS256" { "RS256" } else { "ES256" };
        self.signers.entry(key.to_owned()).or_insert_with(|| Signer::new(id, algorithm))
    }

    fn sign(&mut self, name: &str, key: &str, changes: &str, now: i64) {
        let changes = serde_json::from_str(changes).expect("JSON");
        let claims = changed(self.provider.claims(USER, now), &changes);
        let token = self.signer(key).sign(&claims);
        self.tokens.insert(name.to_owned(), token);
    }

    /// Returns a token with a signature that no other token has.
    fn forge(&mut self, name: &str) -> String {
        let (signed, _) = self.tokens[name].rsplit_once('.').expect("three segments");
        let mut signature = [1; 64];
        self.forged += 1;
        signature[..8].copy_from_slice(&self.forged.to_be_bytes());
        format!("{signed}.{}", base64(&signature))
    }

    /// Sends a token from [`ADDRESS`] and returns the status of the response.
    async fn status(&self, token: &str) -> String {
        let status = match self.checker.check_from(ADDRESS, token).await {
            Ok(_) => 200,
            Err(error) => HttpError::from(error).status().as_u16(),
        };
        status.to_string()
    }

    /// Executes a step. Returns the results that its last word must equal.
    async fn execute(&mut self, step: &str) -> Vec<String> {
        let (verb, rest) = step.split_once(' ').unwrap_or((step, ""));
        let words: Vec<&str> = rest.split_whitespace().collect();
        match (verb, &words[..]) {
            ("publish", keys) => {
                let keys = keys.iter().map(|key| self.signer(key).jwk()).collect();
                self.provider.publish(keys);
            }
            ("provider", [mode]) => self.provider.set_response(match *mode {
                "answers" => ResponseMode::Normal,
                "hangs" => ResponseMode::Hang,
                _ => self.failure.clone(),
            }),
            ("advance", [seconds]) => self.checker.clock.advance(seconds.parse().expect("seconds")),
            ("sign", [name, key, changes @ ..]) => {
                self.sign(name, key, changes.first().unwrap_or(&"{}"), NOON);
            }
            ("text", [name, text]) => drop(self.tokens.insert((*name).to_owned(), (*text).to_owned())),
            ("issue", [name, key]) => self.sign(name, key, "{}", self.checker.clock.now()),
            ("check", [name, _]) => return vec![self.checker.verdict(&self.tokens[*name]).await],
            ("check-at-once", [name, _]) => {
                let verdict = self.checker.verdict(&self.tokens[*name]).now_or_never();
                return vec![verdict.unwrap_or_else(|| "it waits".to_owned())];
            }
            ("forge", [count, name, _]) => {
                let mut verdicts = Vec::new();
                for _ in 0..count.parse().expect("a count") {
                    let token = self.forge(name);
                    verdicts.push(self.checker.verdict(&token).await);
                }
                return verdicts;
            }
            ("send", [name, _]) => return vec![self.status(&self.tokens[*name]).await],
            ("send-forged", [count, name, _]) => {
                let mut statuses = Vec::new();
                for _ in 0..count.parse().expect("a count") {
                    let token = self.forge(name);
                    statuses.push(self.status(&token).await);
                }
                return statuses;
            }
            ("retry-after", [name, _]) => match self.checker.check(&self.tokens[*name]).await {
                Err(passbook_auth::Error::Provider { retry_after_seconds, .. }) => {
                    return vec![retry_after_seconds.to_string()];
                }
                other => panic!("{other:?}"),
            },
            ("fetches", [_]) => return vec![self.provider.jwks_requests().to_string()],
            ("count", []) => self.counted = self.provider.total_requests(),
            ("requests", [_]) => return vec![(self.provider.total_requests() - self.counted).to_string()],
            ("keys", [_]) => {
                return vec![match self.checker.provider.check().await.keys {
                    State::Fresh => "fresh".to_owned(),
                    State::Stale { age, .. } => age.as_secs().to_string(),
                    State::Absent { why: Some(_) } => "absent".to_owned(),
                    other => format!("{other:?}"),
                }];
            }
            ("usable", [_]) => return vec![self.checker.provider.status().keys_usable.to_string()],
            _ => panic!("{step} is no step"),
        }
        Vec::new()
    }
}

/// Executes the cases of a file with a kind of failure of the provider.
async fn execute(cases: &str, failure: &ResponseMode) {
    for (name, steps) in tests::table::rows(cases) {
        let mut sequence = Sequence::start(failure.clone()).await;
        for (number, step) in steps.iter().enumerate() {
            let expected = step.rsplit(' ').next().expect("a word");
            for result in sequence.execute(step).await {
                assert_eq!(result, expected, "{name}, step {}: {step} ({failure:?})", number + 1);
            }
        }
    }
}

#[tokio::test]
async fn rotated_replaced_and_removed_keys_take_effect_in_time() {
    execute(include_str!("sequences/keys.txt"), &ResponseMode::Status(500)).await;
}

#[tokio::test]
async fn flood_of_forged_tokens_from_one_address_is_limited() {
    execute(include_str!("sequences/floods.txt"), &ResponseMode::Status(500)).await;
}

#[tokio::test]
async fn every_outage_is_bridged_by_cached_keys_for_a_day() {
    let endless = json!({ "keys": ["x".repeat(10 * 1024 * 1024)] }).to_string();
    for failure in [
        ResponseMode::Status(500),
        ResponseMode::Status(404),
        ResponseMode::ConnectionClosed,
        ResponseMode::Hang,
        ResponseMode::Body(b"garbage".to_vec()),
        ResponseMode::Body(b"{\"keys\":{}}".to_vec()),
        ResponseMode::Body(endless.into_bytes()),
        ResponseMode::Redirect("http://127.0.0.1:9/keys".to_owned()),
    ] {
        execute(include_str!("sequences/outages.txt"), &failure).await;
    }
}
