//! Builds the Debian package with `cargo deb`, and installs, starts and purges it in a new Debian system.

use std::path::{Path, PathBuf};

use crate::command::{
    DISTRIBUTION, build_distribution, create_folder, print_line, run_quietly, run_shown, write,
};
use crate::debian;

/// The version of `cargo deb` that builds the package.
const CARGO_DEB: &str = "3.8.0";
/// Files with the package sources of this machine, which the new system uses too.
const SOURCES: [&str; 2] = ["/etc/apt/sources.list", "/etc/apt/sources.list.d/debian.sources"];
/// The commands in the new system. Each must succeed.
const TRIAL: &str = include_str!("../../deploy/try_package.sh");

pub(super) fn check(root: &Path) -> Result<(), String> {
    let package = build(root)?;
    let mmdebstrap = debian::find("mmdebstrap", "mmdebstrap")?;
    let folder = root.join("target/tools/package");
    create_folder(&folder)?;
    let trial = folder.join("try_package.sh");
    write(&trial, TRIAL)?;
    let copy = |file: &Path| format!("--customize-hook=copy-in {} /srv", file.display());
    let name = package.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let (package, trial) = (copy(&package), copy(&trial));
    // With processes of its own: `userdel` refuses to remove an account whose number a process of this machine has.
    let run = format!(
        "--customize-hook=unshare --pid --fork --mount-proc=\"$1/proc\" chroot \"$1\" sh -eu /srv/try_package.sh \
         /srv/{name}"
    );
    let mut arguments = vec!["--variant=apt", "--include=ca-certificates,postgresql"];
    arguments.extend([&package, &trial, &run].map(String::as_str));
    arguments.extend(["bookworm", "/dev/null"]);
    arguments.extend(SOURCES.into_iter().filter(|file| Path::new(file).exists()));
    run_shown(&mmdebstrap, &arguments, root)?;
    print_line(&format!("{name}: installs, starts and purges"));
    Ok(())
}

/// Builds the package and returns its path.
fn build(root: &Path) -> Result<PathBuf, String> {
    let tools = root.join("target/tools");
    let cargo = crate::repository::cargo().to_string_lossy().into_owned();
    let deb = tools.join("bin/cargo-deb");
    let is_installed = run_quietly(&deb.display().to_string(), &["--version"], &[]);
    if is_installed.ok().is_none_or(|version| version.trim() != CARGO_DEB) {
        let folder = tools.display().to_string();
        run_shown(
            &cargo,
            &["install", "--locked", "--root", &folder, "--version", CARGO_DEB, "cargo-deb"],
            root,
        )?;
    }
    build_distribution(root, &["passbook-server", "passbook-admin"])?;
    let output = tools.join("package/passbook.deb");
    create_folder(&tools.join("package"))?;
    let file = output.display().to_string();
    run_shown(
        &deb.display().to_string(),
        &[
            "--package",
            "passbook-server",
            "--profile",
            DISTRIBUTION,
            "--no-build",
            "--strip",
            "--output",
            &file,
        ],
        root,
    )?;
    Ok(output)
}
