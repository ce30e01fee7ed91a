//! Tests of the proxy's target: forwarded pairs, removed scopes and rejected queries.

use super::*;

fn offline() -> Vec<String> {
    vec!["offline_access".to_owned()]
}

fn query(query: &str) -> Result<String, Vec<ParameterFault>> {
    let location = location("https://id.example/authorize", query, &offline())?;
    Ok(location.strip_prefix("https://id.example/authorize").expect("it leads nowhere else").to_owned())
}

#[test]
fn only_stripped_scopes_are_removed() {
    for (sent, expected) in [
        ("", ""),
        ("a=1", "?a=1"),
        ("b=%7e&a=%7E&c", "?b=%7e&a=%7E&c"),
        ("scope=openid+email", "?scope=openid+email"),
        ("scope=openid%20%20email", "?scope=openid%20%20email"),
        ("scope=", "?scope="),
        ("scope=openid+offline_access&state=s", "?scope=openid&state=s"),
        ("state=s&scope=openid%20offline%5Faccess+email", "?state=s&scope=openid%20email"),
        ("state=s&sc%6fpe=offline_access", "?state=s"),
        ("scope=offline_access", ""),
        ("scope=a:read+offline_access", "?scope=a%3Aread"),
        ("scope=offline_access2+offline_accessx", "?scope=offline_access2+offline_accessx"),
        ("scope=OFFLINE_ACCESS", "?scope=OFFLINE_ACCESS"),
        ("Scope=offline_access", "?Scope=offline_access"),
        ("resource=offline_access", "?resource=offline_access"),
        ("name=é", "?name=%C3%A9"),
        ("&&a=1&&", "?a=1"),
        ("resource=https://a.example&resource=b", "?resource=https://a.example&resource=b"),
        ("code_challenge=c&code_challenge_method=S256", "?code_challenge=c&code_challenge_method=S256"),
        ("redirect_uri=https://evil.example/?a=b", "?redirect_uri=https://evil.example/?a=b"),
    ] {
        assert_eq!(query(sent), Ok(expected.to_owned()), "{sent}");
    }
    let untouched = location("https://id.example/a", "scope=offline_access", &[]);
    assert_eq!(untouched, Ok("https://id.example/a?scope=offline_access".to_owned()));
}

#[test]
fn query_of_the_endpoint_comes_first_and_cannot_be_overridden() {
    for (endpoint, sent, expected) in [
        ("https://id.example/a?p=1", "b=2", "https://id.example/a?p=1&b=2"),
        ("https://id.example/a?p=1", "", "https://id.example/a?p=1"),
        ("https://id.example/a?", "b=2", "https://id.example/a?b=2"),
    ] {
        assert_eq!(location(endpoint, sent, &offline()), Ok(expected.to_owned()), "{endpoint} {sent}");
    }
    let faults = location("https://id.example/a?p=1", "%70=2", &offline()).expect_err("it is there already");
    assert_eq!(faults[0].parameter, "p");
}

#[test]
fn every_fault_is_listed_without_its_value() {
    for (sent, names) in [
        ("a=1&a=1", vec!["a"]),
        ("scope=a&sc%6Fpe=b", vec!["scope"]),
        ("scope&scope", vec!["scope"]),
        ("=1&=2", vec![""]),
        ("a=1&a=2&a=3&b=1&b=2", vec!["a", "a", "b"]),
        ("a=%zz&b=%ff&c=%4&d=1", vec!["a", "b", "c"]),
        ("code_challenge=c&code_challenge_method=plain", vec!["code_challenge_method"]),
        ("code_challenge=c&code_challenge_method=s256", vec!["code_challenge_method"]),
        ("code%5Fchallenge=c", vec!["code_challenge_method"]),
        ("request_uri=urn:x&r%65quest=eyJ", vec!["request_uri", "request"]),
        ("a=\u{7f}", vec!["a"]),
        ("%ff=1", vec!["%ff"]),
    ] {
        let faults = query(sent).expect_err(sent);
        let found: Vec<&str> = faults.iter().map(|fault| fault.parameter.as_str()).collect();
        assert_eq!(found, names, "{sent}");
    }
    let faults = query("state=hunter2&state=hunter3").expect_err("it is repeated");
    assert!(!format!("{faults:?}").contains("hunter"), "{faults:?}");
}

#[test]
fn faults_beyond_twenty_are_counted() {
    let faults = query(&"a&".repeat(4000)).expect_err("it is repeated");
    let (last, listed) = faults.split_last().expect("faults");
    assert_eq!(listed.len(), FAULTS_MAX);
    assert!(listed.iter().all(|fault| fault.parameter == "a" && fault.message == "must not be repeated"));
    assert_eq!(
        (last.parameter.as_str(), last.message.as_str()),
        ("and more", "3979 further faults are not listed")
    );
}

mod property {
    use std::collections::BTreeMap;

    use passbook_operations::ParameterValue;
    use proptest::collection::{btree_map, vec};
    use proptest::prelude::*;

    use super::*;

    /// Encodes text for a query string in different ways: a character is literal where that is allowed, percent-encoded
    /// with upper-case or lower-case digits, or `+` for a space. `ways` chooses among them.
    fn written(text: &str, ways: &[u8]) -> String {
        let mut ways = ways.iter().cycle();
        let mut written = String::new();
        for letter in text.chars() {
            let way = ways.next().copied().unwrap_or_default() % 3;
            let mut bytes = [0; 4];
            let bytes = letter.encode_utf8(&mut bytes).as_bytes();
            match (letter, way) {
                (' ', 0) => written.push('+'),
                (letter, 0 | 1) if letter.is_ascii_alphanumeric() || "-._~/:?@!$'()*,;".contains(letter) => {
                    written.push(letter);
                }
                (_, 1) => bytes.iter().for_each(|byte| written.push_str(&format!("%{byte:02x}"))),
                _ => bytes.iter().for_each(|byte| written.push_str(&format!("%{byte:02X}"))),
            }
        }
        written
    }

    fn scope() -> impl Strategy<Value = String> {
        let word = prop_oneof!["offline_access", "openid", "email", "[a-z]{1,6}:read", "offline_access[a-z]"];
        vec(word, 0..5).prop_map(|words| words.join(" "))
    }

    /// Parameters with distinct names in any order, some with a scope.
    fn parameters() -> impl Strategy<Value = Vec<(String, String)>> {
        let other = btree_map("[a-zA-Z_é%& =]{1,8}", any::<String>(), 0..8);
        (other, proptest::option::of(scope())).prop_flat_map(|(mut all, scope): (BTreeMap<_, _>, _)| {
            all.remove("scope");
            let mut all: Vec<(String, String)> = all.into_iter().collect();
            all.extend(scope.map(|scope| ("scope".to_owned(), scope)));
            Just(all).prop_shuffle()
        })
    }

    /// Returns the parameters that the test expects in the redirect: all as sent, except for the stripped word in
    /// `scope`.
    fn expected(sent: &[(String, String)]) -> Vec<(String, String)> {
        let mut expected = Vec::new();
        for (name, value) in sent {
            let words: Vec<&str> = value.split(' ').collect();
            if name == "scope" && words.contains(&"offline_access") {
                let left: Vec<&str> = words.into_iter().filter(|word| *word != "offline_access").collect();
                if !left.is_empty() {
                    expected.push((name.clone(), left.join(" ")));
                }
            } else {
                expected.push((name.clone(), value.clone()));
            }
        }
        expected
    }

    proptest! {
        #[test]
        fn parameters_without_repetition_are_forwarded_as_sent(sent in parameters(), ways in vec(any::<u8>(), 1..9)) {
            let pairs: Vec<String> =
                sent.iter().map(|(name, value)| format!("{}={}", written(name, &ways), written(value, &ways))).collect();
            let sent_query = pairs.join("&");
            let address = query(&sent_query).expect("nothing is repeated");
            prop_assert!(address.is_ascii());
            let arrived: Vec<(String, String)> = passbook_web::query_string::parse(address.trim_start_matches('?'))
                .into_iter()
                .map(|(name, given)| match given {
                    ParameterValue::Text(text) => (name, text),
                    other => panic!("{other:?}"),
                })
                .collect();
            prop_assert_eq!(&arrived, &expected(&sent));
            if arrived == sent && !sent.is_empty() {
                prop_assert_eq!(address, format!("?{sent_query}"), "byte for byte");
            }
        }

        #[test]
        fn repeated_parameter_is_rejected(sent in parameters(), at in any::<prop::sample::Index>(), ways in vec(any::<u8>(), 1..9)) {
            prop_assume!(!sent.is_empty());
            let again = sent[at.index(sent.len())].clone();
            let pairs = sent.iter().chain([&again]).enumerate().map(|(place, (name, value))| {
                let ways: Vec<u8> = ways.iter().map(|way| way.wrapping_add(place as u8)).collect();
                format!("{}={}", written(name, &ways), written(value, &ways))
            });
            prop_assert!(query(&pairs.collect::<Vec<String>>().join("&")).is_err());
        }

        #[test]
        fn every_redirect_leads_to_the_provider(text in "\\PC{0,60}") {
            if let Ok(address) = location("https://id.example/authorize", &text, &offline()) {
                prop_assert!(address == "https://id.example/authorize" || address.starts_with("https://id.example/authorize?"));
            }
        }
    }
}
