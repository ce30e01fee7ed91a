//! The policy for addresses in the provider's documents: https or loopback, on the issuer's host or an allowed host.

use crate::loopback::is_loopback;
use reqwest::Url;

/// The hosts that the provider's documents may name. Only their addresses are fetched or given to clients.
#[derive(Clone, Debug)]
pub(super) struct UrlPolicy {
    issuer: Url,
    allowed_hosts: Vec<String>,
}

impl UrlPolicy {
    /// Creates the policy of an issuer. The issuer must be `https` without query or fragment (OpenID Connect
    /// Discovery 1.0 section 3), or `http` on a loopback address.
    ///
    /// # Errors
    /// The rule that the issuer breaks.
    pub(super) fn new(issuer: &str, allowed_hosts: &[String]) -> Result<UrlPolicy, &'static str> {
        let url = parse(issuer).ok_or("must be a URL such as https://project.example/auth/v1")?;
        check_secure(&url)?;
        if url.query().is_some() || issuer.contains('#') {
            return Err("must have neither a query nor a fragment");
        }
        let allowed_hosts = allowed_hosts.iter().map(|host| host.to_ascii_lowercase()).collect();
        Ok(UrlPolicy { issuer: url, allowed_hosts })
    }

    pub(super) fn issuer(&self) -> &Url {
        &self.issuer
    }

    /// Parses an address and checks it against the policy.
    ///
    /// # Errors
    /// The rule that the address breaks.
    pub(super) fn check_endpoint(&self, text: &str) -> Result<Url, String> {
        let url = parse(text).ok_or("is not an absolute URL")?;
        check_secure(&url).map_err(str::to_owned)?;
        if url.fragment().is_some() {
            return Err("must have no fragment".to_owned());
        }
        let host = url.host_str().unwrap_or_default();
        if self.issuer.host_str() == Some(host) || self.allowed_hosts.iter().any(|allowed| allowed == host) {
            Ok(url)
        } else {
            Err(format!("names the host {host:?}, which is neither the issuer's nor an allowed one"))
        }
    }
}

/// Parses a URL that every URL parser reads in the same way. Rejects white space, control and non-ASCII characters,
/// which some parsers drop, and backslashes, which some parsers treat as slashes.
fn parse(text: &str) -> Option<Url> {
    let unambiguous = text.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'\\');
    unambiguous.then(|| Url::parse(text).ok())?
}

/// Checks that a URL is `https`, or `http` on a loopback address, and contains no user name or password.
///
/// # Errors
/// The rule that the URL breaks.
pub(crate) fn check_secure(url: &Url) -> Result<(), &'static str> {
    let host = url.host_str().unwrap_or_default();
    if host.is_empty() {
        return Err("must name a host");
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err("must have no user name and no password");
    }
    match url.scheme() {
        "https" => Ok(()),
        "http" if is_loopback(host) => Ok(()),
        _ => Err("must be https, or http on a loopback address"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn issuer_must_be_https_or_loopback() {
        let accepted = |text: &str| UrlPolicy::new(text, &[]).is_ok();
        for text in
            ["https://a.example", "https://a.example/auth/v1", "https://a.example/", "http://127.0.0.1:9"]
                .into_iter()
                .chain(["http://localhost:9/a", "http://[::1]:9", "https://a.example:8443/realms/x"])
        {
            assert!(accepted(text), "{text}");
        }
        for text in
            ["http://a.example", "http://127.0.0.1.example", "https://u@a.example", "https://u:p@a.example"]
                .into_iter()
                .chain([
                    "https://a.example?x",
                    "https://a.example#x",
                    "https://a.example/#",
                    "ftp://a.example",
                    "a",
                    "",
                ])
                .chain(["file:///etc/passwd", "http://192.168.0.1", "http://localhost.example"])
                .chain(["https://:p@a.example"])
        {
            assert!(!accepted(text), "{text}");
        }
    }

    #[test]
    fn endpoint_must_be_on_the_issuers_host_or_an_allowed_host() {
        let policy =
            UrlPolicy::new("https://a.example/auth", &["Keys.Example".to_owned()]).expect("a valid issuer");
        for text in [
            "https://a.example/keys",
            "https://a.example:444/keys?x=y",
            "https://keys.example/k",
            "https://KEYS.example/k",
        ] {
            assert!(policy.check_endpoint(text).is_ok(), "{text}");
        }
        for text in [
            "http://a.example/keys",
            "https://evil.example/keys",
            "https://evilkeys.example/k",
            "https://x.keys.example/k",
            "https://a.example.evil.example/keys",
            "https://evil.example#@a.example/keys",
            "https://a.example@evil.example/keys",
            "https://a.example/keys#x",
            "https://a.example\\@evil.example/keys",
            "https://a.example/keys\n",
            " https://a.example/keys",
            "https://a.example/ke ys",
            "https://ä.example/keys",
            "/keys",
            "http://127.0.0.1/keys",
            "http://169.254.169.254/latest",
        ] {
            assert!(policy.check_endpoint(text).is_err(), "{text}");
        }
    }
}
