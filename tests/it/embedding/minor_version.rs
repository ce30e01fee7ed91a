//! A following minor version: the hosts compile unchanged after additions to the public interface.

use std::path::Path;
use std::process::Command;

/// An addition: the file, a text in it, and the text that replaces it.
type Addition = (&'static str, &'static str, &'static str);

/// Additions of each kind that a minor version may have.
const ADDITIONS: &[Addition] = &[
    // A field of a result.
    (
        "crates/domain/src/spending.rs",
        "pub struct MerchantSpending {",
        "pub struct MerchantSpending {\n    /// Later.\n    pub later: bool,",
    ),
    (
        "crates/operations/src/top_merchants.rs",
        "merchants.push(MerchantSpending {",
        "merchants.push(MerchantSpending {\n                later: params.later,",
    ),
    // Fields of the types that a ledger returns and receives.
    (
        "crates/domain/src/ports.rs",
        "pub struct SpendingTotals {",
        "pub struct SpendingTotals {\n    /// Later.\n    pub later: Vec<CurrencyTotal>,",
    ),
    (
        "crates/domain/src/ports.rs",
        "pub struct CountedQuery {",
        "pub struct CountedQuery {\n    /// Later.\n    pub later: bool,",
    ),
    (
        "crates/domain/src/ports.rs",
        "pub const EVERYTHING: CountedQuery = CountedQuery {",
        "pub const EVERYTHING: CountedQuery = CountedQuery {\n        later: false,",
    ),
    (
        "crates/domain/src/bank.rs",
        "pub struct Bank {",
        "pub struct Bank {\n    /// Later.\n    pub later: bool,",
    ),
    (
        "crates/domain/src/bank.rs",
        "        Bank {\n            id,",
        "        Bank {\n            later: false,\n            id,",
    ),
    (
        "crates/domain/src/person.rs",
        "pub struct Person {",
        "pub struct Person {\n    /// Later.\n    pub later: Option<String>,",
    ),
    (
        "crates/domain/src/person.rs",
        "today, excluded_categories: Vec::new() }",
        "today, later: None, excluded_categories: Vec::new() }",
    ),
    // A parameter.
    (
        "crates/operations/src/top_merchants.rs",
        "pub struct Params {",
        "pub struct Params {\n    /// Later.\n    pub later: bool,",
    ),
    (
        "crates/operations/src/top_merchants.rs",
        "Params { counted: CountedQuery::EVERYTHING, limit",
        "Params { later: false, counted: CountedQuery::EVERYTHING, limit",
    ),
    (
        "crates/operations/src/top_merchants.rs",
        "            counted: counted_query(form),",
        "            later: form.or_default(\"later\", \"Later.\", false),\n            counted: counted_query(form),",
    ),
    // An operation with a method of the ledger.
    (
        "crates/domain/src/ports.rs",
        "    /// Reads all banks, sorted by name.",
        "    /// Later.\n    fn later<'a>(&'a self, access: &'a Access<'a>) -> LedgerFuture<'a, ()> {\n        let _ = access;\n        Box::pin(std::future::ready(Err(ReadError::NotOffered(\"later data\"))))\n    }\n\n    /// Reads all banks, sorted by name.",
    ),
    (
        "crates/operations/src/catalogue.rs",
        "<crate::me::Me>();",
        "<crate::me::Me>();\n    visitor.visit::<crate::later::Later>();",
    ),
    ("crates/operations/src/lib.rs", "pub mod me;", "pub mod later;\npub mod me;"),
    // A kind of error.
    (
        "crates/domain/src/ports.rs",
        "pub enum ReadError {",
        "pub enum ReadError {\n    /// Later.\n    #[error(\"later\")]\n    Later,",
    ),
    (
        "crates/operations/src/error.rs",
        "pub enum Error {",
        "pub enum Error {\n    /// Later.\n    #[error(\"later\")]\n    Later,",
    ),
    (
        "crates/operations/src/error.rs",
        "Error::NotOffered(_) => Code::NotFound,",
        "Error::NotOffered(_) => Code::NotFound,\n            Error::Later => Code::Later,",
    ),
    (
        "crates/operations/src/error.rs",
        "Error::NotOffered(data) => format!",
        "Error::Later => \"Later.\".to_owned(),\n            Error::NotOffered(data) => format!",
    ),
    ("crates/operations/src/error.rs", "pub enum Code {", "pub enum Code {\n    /// Later.\n    Later,"),
    (
        "crates/operations/src/error.rs",
        "Code::NotFound => \"NOT_FOUND\",",
        "Code::NotFound => \"NOT_FOUND\",\n            Code::Later => \"LATER\",",
    ),
    // A setting.
    (
        "crates/rest/src/lib.rs",
        "pub struct Config {",
        "pub struct Config {\n    /// Later.\n    pub later: bool,",
    ),
    (
        "crates/rest/src/lib.rs",
        "Config { base_url, request_seconds_max,",
        "Config { later: false, base_url, request_seconds_max,",
    ),
];

/// Copies the files of the repository that git knows or would add.
fn copy_repository(to: &Path) {
    let root = xtask::root();
    let mut git = Command::new("git");
    git.args(["ls-files", "--cached", "--others", "--exclude-standard"]).current_dir(&root);
    let listed = String::from_utf8(git.output().expect("git starts").stdout).expect("UTF-8");
    for path in listed.lines().filter(|path| root.join(path).is_file()) {
        let target = to.join(path);
        std::fs::create_dir_all(target.parent().expect("a folder")).expect("the folder is created");
        std::fs::copy(root.join(path), target).expect("the file is copied");
    }
}

fn add(folder: &Path, (file, anchor, replacement): Addition) {
    let path = folder.join(file);
    let text = std::fs::read_to_string(&path).expect("the file exists");
    assert_eq!(text.matches(anchor).count(), 1, "{file}: {anchor}");
    std::fs::write(path, text.replace(anchor, replacement)).expect("the file is written");
}

/// Adds an operation: the operation `me` under other names.
fn add_operation(folder: &Path) {
    let operations = folder.join("crates/operations/src");
    let me = std::fs::read_to_string(operations.join("me.rs")).expect("the file exists");
    let later = me
        .replace("#[cfg(test)]\nmod tests;\n", "")
        .replace("pub struct Me;", "pub struct Later;")
        .replace("for Me {", "for Later {")
        .replace("\"me\"", "\"later\"")
        .replace("/v1/me", "/v1/later");
    std::fs::write(operations.join("later.rs"), later).expect("the file is written");
}

#[test]
fn hosts_compile_unchanged_with_a_following_minor_version() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    copy_repository(folder.path());
    add_operation(folder.path());
    for addition in ADDITIONS {
        add(folder.path(), *addition);
    }
    let mut hosts: Vec<_> =
        folder.path().join("tests/hosts").read_dir().expect("the hosts").flatten().collect();
    hosts.sort_by_key(std::fs::DirEntry::path);
    assert!(hosts.len() >= 8, "{hosts:?}");
    for host in hosts {
        let manifest = host.path().join("Cargo.toml");
        let mut cargo = Command::new(env!("CARGO"));
        // The crates of registries are those of this workspace, so its target folder has them.
        cargo.args(["check", "--quiet", "--offline", "--target-dir"]).arg(xtask::root().join("target"));
        cargo.arg("--manifest-path").arg(&manifest);
        let output = cargo.output().expect("cargo starts");
        let messages = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{}:\n{messages}", manifest.display());
    }
}
