//! `completions bash`: the generated file works in bash.

use std::process::Command;

use tests::admin::{file, run};

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
    let folder = tests::temporary::folder();
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
