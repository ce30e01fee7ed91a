//! `completions` and `man`: the generated files work in the shell and in `man`.

use std::process::Command;

use super::program::{file, run};

/// Loads the completions, and prints the candidates for the last word of the command line in `COMP_WORDS`.
const COMPLETE: &str = r#"
source "$1"; shift
COMP_WORDS=("$@"); COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
function=$(complete -p passbook-admin | sed 's/.*-F \([^ ]*\).*/\1/')
"$function" passbook-admin "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
printf '%s\n' "${COMPREPLY[@]}"
"#;

#[test]
fn bash_completes_commands_flags_and_values() {
    let script = run(&[], &["completions", "bash"], "").done();
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = file(folder.path(), "passbook-admin.bash", &script);
    for (words, expected) in [
        (&["tok"][..], "token"),
        (&["token", "ro"], "rotate"),
        (&["user", "delete", "--dr"], "--dry-run"),
        (&["account", "list", "--output", "js"], "json"),
        (&["token", "create", "--surfaces", "mc"], "mcp"),
    ] {
        let output = Command::new("bash")
            .args(["-c", COMPLETE, "bash", &path, "passbook-admin"])
            .args(words)
            .output()
            .expect("bash starts");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert_eq!(text.trim(), expected, "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
    }
}

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
    let folder = tempfile::tempdir().expect("a temporary folder");
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
