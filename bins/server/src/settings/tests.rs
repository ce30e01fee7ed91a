//! Unit tests of the settings: their defaults, and the rules between them.

use super::*;

fn resolve(environment: &[(&'static str, &'static str)], demo: bool) -> Result<Settings, Vec<Fault>> {
    let folder = ("PASSBOOK_DATA_DIR", "/data");
    let environment = std::iter::once(&folder).chain(environment).copied();
    Settings::resolve(&Sources::from_environment(environment), demo)
}

fn names(result: Result<Settings, Vec<Fault>>) -> Vec<String> {
    result.expect_err("a problem").into_iter().map(|problem| problem.place).collect()
}

#[test]
fn server_needs_no_settings_but_a_data_folder() {
    let settings = resolve(&[], false).expect("the defaults are valid");
    assert_eq!(settings.listen.to_string(), "127.0.0.1:8080");
    assert_eq!((settings.origin, settings.database.is_none()), (None, true));
    assert_eq!(settings.stripped_scopes, ["offline_access"]);
    assert_eq!((settings.rate_limit_user, settings.rate_limit_client), (300, 120));
}

#[test]
fn download_is_allowed_unless_a_setting_forbids_it() {
    for (value, expected) in [("true", false), ("1", false), ("false", true), ("0", true), ("", true)] {
        let settings = resolve(&[("PASSBOOK_NO_DOWNLOAD", value)], false);
        assert_eq!(settings.expect("the settings are valid").download, expected, "{value:?}");
    }
}

#[test]
fn relative_data_folder_is_refused() {
    assert_eq!(names(resolve(&[("PASSBOOK_DATA_DIR", "data")], false)), ["PASSBOOK_DATA_DIR"]);
}

#[test]
fn metrics_are_not_served_on_a_public_address() {
    let listen = |address| resolve(&[("PASSBOOK_METRICS_LISTEN", address)], false);
    for address in ["127.0.0.1:9464", "[::1]:9464", "10.0.0.7:9464", "[fd00::1]:9464"] {
        let settings = listen(address).expect("the address is private");
        assert_eq!(settings.metrics_listen.map(|address| address.to_string()).as_deref(), Some(address));
    }
    for address in ["0.0.0.0:9464", "[::]:9464", "192.0.2.1:9464"] {
        assert_eq!(names(listen(address)), ["PASSBOOK_METRICS_LISTEN"], "{address}");
    }
}

#[test]
fn demo_does_not_use_the_operators_database() {
    let url = ("PASSBOOK_DATABASE_URL", "postgresql://passbook_reader@localhost/money");
    assert!(resolve(&[url], false).is_ok());
    assert_eq!(names(resolve(&[url], true)), ["--demo"]);
}

#[test]
fn apps_challenge_needs_vendor_and_token() {
    let vendor = ("PASSBOOK_APPS_CHALLENGE_VENDOR", "openai");
    let token = ("PASSBOOK_APPS_CHALLENGE_TOKEN", "tok-1");
    assert!(resolve(&[vendor, token], false).expect("both are given").apps_challenge.is_some());
    assert_eq!(names(resolve(&[vendor], false)), [vendor.0]);
    assert_eq!(names(resolve(&[token], false)), [token.0]);
    // The invalid half is the only problem.
    assert_eq!(names(resolve(&[vendor, (token.0, "a b")], false)), [token.0]);
}

#[cfg(feature = "dashboard")]
#[test]
fn dashboard_is_served_unless_a_setting_forbids_it() {
    let settings = resolve(&[], false).expect("the defaults are valid");
    assert!(settings.dashboard.expect("the dashboard is served").client_id.is_none());
    let off = resolve(&[("PASSBOOK_DASHBOARD", "false")], false).expect("the setting is valid");
    assert!(off.dashboard.is_none());
    let client = ("PASSBOOK_DASHBOARD_CLIENT_ID", "client-1");
    assert_eq!(names(resolve(&[client], false)), [client.0]);
    let issuer = ("PASSBOOK_OIDC_ISSUER", "https://id.example");
    let served = resolve(&[client, issuer], false).expect("the settings are valid").dashboard;
    assert_eq!(served.expect("the dashboard is served").client_id.as_deref(), Some("client-1"));
    let problems = resolve(&[("PASSBOOK_SESSION_KEY", "short-secret")], false).expect_err("a problem");
    assert!(!problems[0].to_string().contains("short-secret"), "{}", problems[0]);
}

#[test]
fn number_of_threads_is_limited() {
    let threads = |number| resolve(&[("PASSBOOK_WORKER_THREADS", number)], false);
    assert_eq!(threads("3").expect("the number is valid").worker_threads.get(), 3);
    assert_eq!(names(threads("257")), ["PASSBOOK_WORKER_THREADS"]);
}

#[test]
fn message_about_an_unknown_scope_lists_the_scopes() {
    let problems = resolve(&[("PASSBOOK_OAUTH_REQUESTABLE_SCOPES", "budgets:write")], false);
    let message = problems.expect_err("the scope is unknown")[0].to_string();
    assert!(message.contains("budgets:read") && message.ends_with("received \"budgets:write\""), "{message}");
}

#[test]
fn half_of_the_processors_handle_requests_unless_a_number_is_set() {
    let threads =
        |set, processors| worker_threads(set, NonZeroUsize::new(processors).expect("a number above 0")).get();
    assert_eq!([threads(0, 1), threads(0, 2), threads(0, 3), threads(0, 16)], [1, 1, 1, 8]);
    assert_eq!([threads(1, 16), threads(12, 4)], [1, 12]);
}
