//! Compares the bookings that the readers of bank files find in other projects' sample files with those of independent
//! readers.
//!
//! | format | independent reader | files |
//! |---|---|---|
//! | OFX | ofxparse, ofxtools | samples of ofxparse, bankfile, csv2ofx and ofx-rs |
//! | CAMT | pycamt, `AqBanking`, the expected output of the package | samples of Odoo's import of statements |
//! | MT940 | mt-940, `AqBanking` | samples of the crate mt940 and the package mt-940 |
//! | QIF | quiffen | samples of quiffen and csv2ofx |
//! | CSV | csv2ofx's expected output, hledger with the rules in `xtask/lab/oracle/hledger` | samples of csv2ofx |
//! | hledger | hledger's register, against `hledger print -O csv` | journals in `xtask/lab/oracle/hledger` |
//! | `GnuCash` | `GnuCash`'s library for Python | books that `xtask/lab/oracle/gnucash_books.py` writes with the library |
//!
//! `AqBanking`, hledger and `GnuCash` are packages of Debian. Their installation takes about a minute and 400 MB.
//! `AqBanking` cannot read every sample file; `xtask/lab/oracle/statement_formats.py` has the number of files that must be
//! compared.
//!
//! The sample files come from packages of registries, are unpacked under `target/oracle/samples`, and are never
//! committed. `xtask/lab/oracle/statement_exceptions.toml` lists the files that differ, each with the reason.

use super::folders::Folders;
use crate::command::{print_line, run_quietly, run_shown};
use crate::debian;
use crate::python::Python;

/// Programs of the independent readers, and their packages of Debian.
const PROGRAMS: [(&str, &str); 3] =
    [("aqbanking-cli", "aqbanking-tools"), ("hledger", "hledger"), ("gnucash-cli", "gnucash")];
/// A file of the package python3-gnucash, which has no program.
const GNUCASH_LIBRARY: &str = "/usr/lib/python3/dist-packages/gnucash/__init__.py";

/// Installs readers and downloads sample files. Existing ones are reused.
pub(super) fn prepare(folders: &Folders) -> Result<(), String> {
    for (program, package) in PROGRAMS {
        debian::find(program, package)?;
    }
    debian::require_file(GNUCASH_LIBRARY, "python3-gnucash")?;
    let environment = environment(folders);
    environment.install(&folders.script("statement_requirements.txt"))?;
    let cargo = crate::repository::cargo();
    let arguments = [
        folders.script("samples.py").display().to_string(),
        samples(folders),
        cargo.to_string_lossy().into_owned(),
    ];
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    run_quietly(&environment.program("python").display().to_string(), &arguments, &[]).map(drop)
}

/// Compares every sample file. `lab statement-rows` prints the bookings that Passbook reads.
///
/// # Errors
/// A file differs and is not listed, or a listed file no longer differs.
pub(super) fn compare(folders: &Folders) -> Result<(), String> {
    print_line("comparing sample files of banks");
    let program = std::env::current_exe().map_err(|error| format!("the path of this program: {error}"))?;
    let arguments = [
        folders.script("statements.py").display().to_string(),
        program.display().to_string(),
        samples(folders),
        folders.script("statement_exceptions.toml").display().to_string(),
    ];
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    run_shown(&environment(folders).program("python").display().to_string(), &arguments, &folders.root)
}

fn environment(folders: &Folders) -> Python {
    Python::in_folder(folders.work.join("statements-venv"))
}

fn samples(folders: &Folders) -> String {
    folders.work.join("samples").display().to_string()
}
