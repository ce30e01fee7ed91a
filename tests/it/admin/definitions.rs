//! `completions` and `man`: the generated files.

use tests::admin::{file, run};

#[test]
fn completions_exist_for_every_shell() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = run(&[], &["completions", shell], "").done();
        assert!(script.contains("passbook-admin") && script.contains("rotate"), "{shell}");
    }
    assert!(run(&[], &["completions", "tcsh"], "").failed(64).contains("possible values: bash"));
}

#[test]
fn man_pages_exist_for_every_command_with_options_and_exit_codes() {
    let folder = tests::temporary::folder();
    let pages = folder.path().join("man1");
    run(&[], &["man", pages.to_str().expect("UTF-8")], "").done();
    for name in ["passbook-admin", "passbook-admin-user-delete", "passbook-admin-token-create"] {
        let page = std::fs::read_to_string(pages.join(format!("{name}.1"))).expect("the page exists");
        for part in [".SH NAME", ".SH SYNOPSIS", ".SH DESCRIPTION", ".SH OPTIONS", "Exit codes", "PASSBOOK"] {
            assert!(page.contains(part), "{name}: {part}: {page}");
        }
    }
    let page = std::fs::read_to_string(pages.join("passbook-admin-token-create.1")).expect("the page");
    assert!(page.contains("preferences:read") && page.contains("90"), "{page}");
    let help: Vec<_> = pages
        .read_dir()
        .expect("the folder")
        .flatten()
        .filter(|entry| entry.file_name().to_string_lossy().contains("help"))
        .collect();
    assert!(help.is_empty(), "{help:?}");
    let nowhere = file(folder.path(), "file", "");
    let message = run(&[], &["man", &format!("{nowhere}/man1")], "").failed(64);
    assert!(message.contains("cannot be written"), "{message}");
}
