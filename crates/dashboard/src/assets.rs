//! The files of the page, under addresses that contain a hash of their content. Browsers may store them for
//! ever, and each is compressed once, at start.

use std::collections::HashMap;

use aws_lc_rs::digest::{Context, SHA256};
use bytes::Bytes;
use flate2::Compression;
use http_body_util::Full;
use hyper::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderValue, VARY};
use hyper::{HeaderMap, Response};
use passbook_views::PageFile;

use crate::compression::{accepts_gzip, gzip, mark_gzip};

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
    plain: Bytes,
    gzip: Bytes,
}

impl Assets {
    /// Compresses the files.
    pub(crate) fn new(files: &[PageFile]) -> Assets {
        let asset = |file: &PageFile| {
            let plain = Bytes::from(file.content.clone());
            let gzip = gzip(&plain, Compression::best());
            (file.name, Asset { media_type: file.kind.media_type(), plain, gzip })
        };
        Assets { hash: hash(files), files: files.iter().map(asset).collect() }
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
        let body = if compressed { &asset.gzip } else { &asset.plain };
        let mut response = Response::new(Full::new(body.clone()));
        let fields = response.headers_mut();
        fields.insert(CONTENT_TYPE, HeaderValue::from_static(asset.media_type));
        fields.insert(CACHE_CONTROL, HeaderValue::from_static("public, max-age=31536000, immutable"));
        fields.insert(VARY, HeaderValue::from_static("accept-encoding"));
        if compressed {
            mark_gzip(fields);
        }
        response
    }
}

/// Returns the start of the SHA-256 hash of all names and contents, in hexadecimal.
fn hash(files: &[PageFile]) -> String {
    let mut context = Context::new(&SHA256);
    for part in files.iter().flat_map(|file| [file.name.as_bytes(), &file.content]) {
        context.update(&part.len().to_be_bytes());
        context.update(part);
    }
    let digits: String = context.finish().as_ref().iter().map(|byte| format!("{byte:02x}")).collect();
    digits[..HASH_DIGITS].to_owned()
}

#[cfg(test)]
mod tests {
    use passbook_domain::category::{CategoryGroup, ExpenseCategory, IncomeCategory};
    use passbook_views::Kind;

    use super::*;

    #[test]
    fn folder_has_the_hash_of_all_assets() {
        let file = |name, text: &str, kind| PageFile { name, content: text.into(), kind };
        let files = [file("a.js", "let a;", Kind::Script), file("a.css", "a{}", Kind::Style)];
        let assets = Assets::new(&files);
        assert_eq!(assets.folder().len(), FOLDER.len() + HASH_DIGITS + 1);
        assert_eq!(assets.names().count(), files.len());
        assert_ne!(hash(&files), hash(&files[..1]));
    }

    #[test]
    fn page_has_a_name_for_every_category_and_group() {
        let [_, script, ..] = passbook_views::page_files();
        let script = String::from_utf8_lossy(&script.content);
        let codes = (ExpenseCategory::ALL.iter().map(|code| code.as_str()))
            .chain(IncomeCategory::ALL.iter().map(|code| code.as_str()))
            .chain(CategoryGroup::ALL.iter().map(|code| code.as_str()));
        for code in codes {
            assert!(script.contains(&format!(" {code}: '")), "{code}");
        }
    }
}
