//! Wycheproof test vectors for JSON Web Signatures and key sets. Their payloads are not valid claims. A token with an
//! accepted signature is therefore rejected for its claims, and any other token for another rule.

use std::collections::BTreeMap;

use serde_json::Value;
use tests::provider::{Checker, IdentityProvider};

/// Groups of keys and tests. A test is a number, a comment, a result and a token.
const VECTORS: &str = include_str!("../../../vectors/wycheproof.json");

/// Vectors that are accepted although Wycheproof calls them invalid: a modulus with the structure of ROCA
/// (CVE-2017-15361), which a verifier cannot detect without factoring it.
const ACCEPTED: [(&str, u64); 1] = [("key", 7)];

#[tokio::test]
async fn wycheproof_vectors_have_the_expected_verdicts() {
    let vectors: Value = serde_json::from_str(VECTORS).expect("the vectors are JSON");
    let mut counted: BTreeMap<(&str, bool), usize> = BTreeMap::new();
    let (mut wrong, mut refused) = (Vec::new(), Vec::new());
    for group in vectors["groups"].as_array().expect("groups") {
        let provider = IdentityProvider::start(&[]).await;
        provider.publish(group["keys"].clone());
        let checker = Checker::new(&provider.issuer);
        let file = group["file"].as_str().expect("a word");
        for test in group["tests"].as_array().expect("tests") {
            let number = test[0].as_u64().expect("a number");
            let verdict = checker.verdict(test[3].as_str().expect("a token")).await;
            let accepted = ["Claims", "Issuer"].contains(&verdict.as_str());
            let valid = test[2] == "valid";
            *counted.entry((file, accepted)).or_default() += 1;
            if accepted && !valid && !ACCEPTED.contains(&(file, number)) {
                wrong.push(format!("{file} {number} {}: {verdict}", test[1]));
            }
            if valid && !accepted {
                refused.push(format!("{file} {number} {} {}: {verdict}", group["comment"], test[1]));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    insta::assert_debug_snapshot!((counted, refused));
}
