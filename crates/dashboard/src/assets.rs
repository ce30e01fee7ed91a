//! The scripts and styles of the page, under addresses that contain a hash of their content. Browsers may store them for
//! ever, and each is compressed once, at start.

use std::collections::HashMap;
use std::io::Write as _;

use aws_lc_rs::digest::{Context, SHA256};
use bytes::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;
use http_body_util::Full;
use hyper::header::{ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, HeaderValue, VARY};
use hyper::{HeaderMap, Response};
use passbook_views::Module;

/// Path below the page that precedes the hash.
pub(crate) const FOLDER: &str = "/assets/";
/// Number of hexadecimal digits of the hash.
const HASH_DIGITS: usize = 16;

/// All assets.
#[derive(Debug)]
pub(crate) struct Assets {
    hash: String,
    files: HashMap<&'static str, Asset>,
}

#[derive(Debug)]
struct Asset {
    media_type: &'static str,
    plain: &'static str,
    gzip: Bytes,
}

impl Assets {
    /// Compresses the modules.
    pub(crate) fn new(modules: &'static [Module]) -> Assets {
        let asset = |module: &'static Module| {
            let media_type = module.kind.media_type();
            let asset = Asset { media_type, plain: module.text, gzip: gzip(module.text) };
            (module.name, asset)
        };
        Assets { hash: hash(modules), files: modules.iter().map(asset).collect() }
    }

    /// Returns the path of the folder below the page, with slashes at both ends.
    pub(crate) fn folder(&self) -> String {
        format!("{FOLDER}{}/", self.hash)
    }

    /// Returns the names of all assets.
    pub(crate) fn names(&self) -> impl Iterator<Item = &'static str> {
        self.files.keys().copied()
    }

    /// Returns the response with an asset, compressed if the request accepts that.
    pub(crate) fn respond(&self, name: &str, headers: &HeaderMap) -> Response<Full<Bytes>> {
        let asset = &self.files[name];
        let compressed = accepts_gzip(headers);
        let body = if compressed { asset.gzip.clone() } else { Bytes::from_static(asset.plain.as_bytes()) };
        let mut response = Response::new(Full::new(body));
        let fields = response.headers_mut();
        fields.insert(CONTENT_TYPE, HeaderValue::from_static(asset.media_type));
        fields.insert(CACHE_CONTROL, HeaderValue::from_static("public, max-age=31536000, immutable"));
        fields.insert(VARY, HeaderValue::from_static("accept-encoding"));
        if compressed {
            fields.insert(CONTENT_ENCODING, HeaderValue::from_static("gzip"));
        }
        response
    }
}

/// Returns the start of the SHA-256 hash of all names and texts, in hexadecimal.
fn hash(modules: &[Module]) -> String {
    let mut context = Context::new(&SHA256);
    for text in modules.iter().flat_map(|module| [module.name, module.text]) {
        context.update(&text.len().to_be_bytes());
        context.update(text.as_bytes());
    }
    let digits: String = context.finish().as_ref().iter().map(|byte| format!("{byte:02x}")).collect();
    digits[..HASH_DIGITS].to_owned()
}

fn gzip(text: &str) -> Bytes {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(text.as_bytes()).expect("memory takes all bytes");
    encoder.finish().expect("memory takes all bytes").into()
}

/// Returns true if the request accepts gzip by name, with a weight above zero (RFC 9110 section 12.5.3).
fn accepts_gzip(headers: &HeaderMap) -> bool {
    let values = headers.get_all(ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok());
    values.flat_map(|value| value.split(',')).any(|coding| {
        let mut parts = coding.split(';').map(str::trim);
        let is_gzip = parts.next().is_some_and(|name| name.eq_ignore_ascii_case("gzip"));
        let is_excluded = parts.any(|parameter| {
            let weight = parameter.split_once('=').filter(|(name, _)| name.trim().eq_ignore_ascii_case("q"));
            weight.is_some_and(|(_, weight)| weight.trim().parse() == Ok(0.0_f32))
        });
        is_gzip && !is_excluded
    })
}

#[cfg(test)]
mod tests {
    use passbook_views::Kind;

    use super::*;

    const MODULES: &[Module] = &[
        Module { name: "modules/a.js", text: "let a;", kind: Kind::Script },
        Module { name: "styles/a.css", text: "a{}", kind: Kind::Style },
    ];

    #[test]
    fn folder_has_the_hash_of_all_assets() {
        let assets = Assets::new(MODULES);
        assert_eq!(assets.folder().len(), FOLDER.len() + HASH_DIGITS + 1);
        assert_eq!(assets.names().count(), MODULES.len());
        assert_ne!(hash(MODULES), hash(&MODULES[..1]));
    }

    #[test]
    fn gzip_is_sent_if_it_is_accepted() {
        for (accept, expected) in [
            ("gzip", true),
            ("br, GZIP;q=0.1", true),
            ("gzip, deflate, br, zstd", true),
            ("", false),
            ("identity", false),
            ("gzip;q=0", false),
            ("x-gzip", false),
        ] {
            let value = HeaderValue::from_static(accept);
            let headers = HeaderMap::from_iter([(ACCEPT_ENCODING, value)]);
            assert_eq!(accepts_gzip(&headers), expected, "{accept}");
        }
    }
}
