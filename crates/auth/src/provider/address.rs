//! Which addresses may be fetched and handed on: the issuer's host and those that the settings allow.

use crate::loopback::is_loopback;
use reqwest::Url;

/// What vouches for an address.
#[derive(Clone, Debug)]
pub(super) struct Trust {
    issuer: Url,
    allowed_hosts: Vec<String>,
}

impl Trust {
    /// Trust in an issuer (OpenID Connect Discovery 1.0 section 3: `https`, no query, no fragment).
    pub(super) fn new(issuer: &str, allowed_hosts: &[String]) -> Result<Trust, &'static str> {
        let url = parse(issuer).ok_or("must be a URL such as https://project.example/auth/v1")?;
        secure(&url)?;
        if url.query().is_some() || issuer.contains('#') {
            return Err("must have neither a query nor a fragment");
        }
        let allowed_hosts = allowed_hosts.iter().map(|host| host.to_ascii_lowercase()).collect();
        Ok(Trust { issuer: url, allowed_hosts })
    }

    pub(super) fn issuer(&self) -> &Url {
        &self.issuer
    }

    /// The address, if it may be fetched or handed on.
    pub(super) fn endpoint(&self, text: &str) -> Result<Url, String> {
        let url = parse(text).ok_or("is no absolute URL")?;
        secure(&url).map_err(str::to_owned)?;
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

/// A URL that every reader takes for the same: no characters that one drops and another keeps, and no backslash, which
/// is a slash to some.
fn parse(text: &str) -> Option<Url> {
    let plain = text.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'\\');
    plain.then(|| Url::parse(text).ok())?
}

/// `https` anywhere, `http` only where nobody can listen in, and no password in the address.
pub(crate) fn secure(url: &Url) -> Result<(), &'static str> {
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
    fn an_issuer_is_https_or_loopback_and_nothing_else() {
        let good = |text: &str| Trust::new(text, &[]).is_ok();
        for text in
            ["https://a.example", "https://a.example/auth/v1", "https://a.example/", "http://127.0.0.1:9"]
                .into_iter()
                .chain(["http://localhost:9/a", "http://[::1]:9", "https://a.example:8443/realms/x"])
        {
            assert!(good(text), "{text}");
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
        {
            assert!(!good(text), "{text}");
        }
    }

    #[test]
    fn an_endpoint_stays_on_the_issuers_host_or_an_allowed_one() {
        let trust = Trust::new("https://a.example/auth", &["Keys.Example".to_owned()]).expect("it is one");
        for text in [
            "https://a.example/keys",
            "https://a.example:444/keys?x=y",
            "https://keys.example/k",
            "https://KEYS.example/k",
        ] {
            assert!(trust.endpoint(text).is_ok(), "{text}");
        }
        for text in [
            "http://a.example/keys",
            "https://evil.example/keys",
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
            assert!(trust.endpoint(text).is_err(), "{text}");
        }
    }
}
