//! `cargo lab minor-version`: the example hosts compile unchanged after additions to the public interface, as a following
//! minor version may have them.

use std::path::Path;

use crate::command::{print_line, read, run_shown, write};
use crate::repository_copy;

/// An addition: the file, a text in it, and the text that replaces it.
type Addition = (&'static str, &'static str, &'static str);

/// Minimum number of example hosts.
const HOSTS_MIN: usize = 8;

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
        "crates/domain/src/ports/totals.rs",
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
        "            month_start,\n",
        "            month_start,\n            later: None,\n",
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
        "crates/web/src/pipeline.rs",
        "pub struct PipelineConfig {",
        "pub struct PipelineConfig {\n    /// Later.\n    pub later: bool,",
    ),
    (
        "crates/web/src/pipeline.rs",
        "        PipelineConfig {\n            base_url,",
        "        PipelineConfig {\n            later: false,\n            base_url,",
    ),
];

/// Compiles the hosts in a copy of the repository with the additions.
///
/// # Errors
/// A file does not contain the text that an addition replaces, or a host does not compile.
pub(crate) fn run(root: &Path) -> Result<(), String> {
    let copy = repository_copy::create(root, "minor-version")?;
    add_operation(&copy)?;
    for addition in ADDITIONS {
        add(&copy, *addition)?;
    }
    let hosts = hosts(&copy)?;
    print_line(&format!("compiling {} with {} additions", hosts.join(", "), ADDITIONS.len()));
    let packages: Vec<&str> = hosts.iter().flat_map(|host| ["--package", host]).collect();
    // The dependencies are compiled once for all copies.
    let build = root.join("target/copies").display().to_string();
    let cargo = crate::repository::cargo();
    let check = ["check", "--quiet", "--offline", "--target-dir", &build];
    run_shown(&cargo.to_string_lossy(), &[&check[..], &packages].concat(), &copy)
}

/// Returns the packages of the example hosts.
fn hosts(copy: &Path) -> Result<Vec<String>, String> {
    let folder = copy.join("tests/hosts");
    let entries = folder.read_dir().map_err(|error| format!("{}: {error}", folder.display()))?;
    let name = |entry: std::fs::DirEntry| {
        let manifest = read(&entry.path().join("Cargo.toml"))?;
        let name = manifest.lines().find_map(|line| line.strip_prefix("name = \""));
        name.map(|name| name.trim_end_matches('"').to_owned())
            .ok_or_else(|| format!("{}: no name", entry.path().display()))
    };
    let mut hosts = entries.flatten().map(name).collect::<Result<Vec<_>, _>>()?;
    hosts.sort();
    if hosts.len() < HOSTS_MIN {
        return Err(format!("{}: {} hosts, expected at least {HOSTS_MIN}", folder.display(), hosts.len()));
    }
    Ok(hosts)
}

fn add(folder: &Path, (file, anchor, replacement): Addition) -> Result<(), String> {
    let path = folder.join(file);
    let text = read(&path)?;
    match text.matches(anchor).count() {
        1 => write(&path, &text.replace(anchor, replacement)),
        found => Err(format!("{file}: {found} places have the text `{anchor}`, not one")),
    }
}

/// Adds an operation: the operation `me` under other names.
fn add_operation(folder: &Path) -> Result<(), String> {
    let operations = folder.join("crates/operations/src");
    let me = read(&operations.join("me.rs"))?;
    let later = me
        .replace("#[cfg(test)]\nmod tests;\n", "")
        .replace("pub struct Me;", "pub struct Later;")
        .replace("for Me {", "for Later {")
        .replace("\"me\"", "\"later\"")
        .replace("/v1/me", "/v1/later");
    write(&operations.join("later.rs"), &later)
}
