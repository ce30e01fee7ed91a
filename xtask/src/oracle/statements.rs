//! Compares the bookings that the readers of bank files find in other projects' sample files with those of independent
//! readers.
//!
//! The sample files come from packages of registries, are unpacked under `target/oracle/samples`, and are never
//! committed. `xtask/oracle/statement_exceptions.toml` lists the files that differ, each with the reason.

use super::folders::Folders;
use crate::command::{print_line, run_quietly, run_shown};
use crate::python::Python;

/// Downloads readers and sample files. Existing ones are reused.
pub(super) fn prepare(folders: &Folders) -> Result<(), String> {
    let environment = environment(folders);
    environment.install(&folders.script("statement_requirements.txt"))?;
    let cargo = crate::cargo();
    let arguments = [
        folders.script("samples.py").display().to_string(),
        samples(folders),
        cargo.to_string_lossy().into_owned(),
    ];
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    run_quietly(&environment.program("python").display().to_string(), &arguments, &[]).map(drop)
}

/// Compares every sample file. The example `statement_rows` must be built.
///
/// # Errors
/// A file differs and is not listed, or a listed file no longer differs.
pub(super) fn compare(folders: &Folders) -> Result<(), String> {
    print_line("comparing sample files of banks");
    let arguments = [
        folders.script("statements.py").display().to_string(),
        folders.binary("examples/statement_rows").display().to_string(),
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
