//! The programs in a terminal: completions of a shell, and what is printed to a terminal.

use std::process::{Command, Stdio};

use tests::admin::{admin, number, run};
use tests::database::Database;
use tests::temporary::Folder;

const USERS: &str = "select count(*) from passbook.users";

/// Runs `user delete` on a pseudo-terminal on which somebody types `answer`. Returns the exit code and the screen.
fn delete_on_terminal(database: &Database, answer: &str) -> (i32, String) {
    let folder = Folder::create();
    let script = folder.path().join("terminal.py");
    std::fs::write(&script, TERMINAL).expect("the script is written");
    let output = Command::new("python3")
        .arg(&script)
        .arg(answer)
        .arg(tests::binary("passbook-admin"))
        .args(["user", "delete", "ada@example.org"])
        .env("PASSBOOK_ADMIN_DATABASE_URL", database.url("passbook_writer"))
        .env("HOME", folder.path())
        .stdin(Stdio::null())
        .output()
        .expect("python3 starts");
    let screen = String::from_utf8(output.stdout).expect("UTF-8");
    (output.status.code().expect("an exit code"), screen)
}

/// Runs a command on a pseudo-terminal, types the answer after the prompt, and exits with the code of the command.
const TERMINAL: &str = r#"
import os, pty, sys
answer, command = sys.argv[1], sys.argv[2:]
child, terminal = pty.fork()
if child == 0:
    os.execv(command[0], command)
screen = b""
while True:
    try:
        part = os.read(terminal, 4096)
    except OSError:
        break
    if not part:
        break
    if b"To confirm" in screen + part and b"To confirm" not in screen:
        os.write(terminal, answer.encode() + b"\n")
    screen += part
sys.stdout.write(screen.decode())
sys.stdout.flush()
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"#;

#[tokio::test]
async fn deletion_on_a_terminal_needs_the_typed_address() {
    let database = Database::fresh().await;
    admin(&database, &["user", "create", "--email", "ada@example.org"]).done();
    admin(&database, &["token", "create", "--user", "ada@example.org", "--name", "laptop"]).done();
    let (code, screen) = delete_on_terminal(&database, "yes");
    assert_eq!(code, 64, "{screen}");
    for part in ["personal_access_tokens  1", "users                   1", "nothing was deleted"] {
        assert!(screen.contains(part), "{part}: {screen}");
    }
    assert_eq!(number(&database, USERS).await, 1);
    let (code, screen) = delete_on_terminal(&database, "ada@example.org");
    assert_eq!(code, 0, "{screen}");
    assert_eq!(number(&database, USERS).await, 0);
}

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
    let folder = Folder::create();
    let path = folder.write("passbook-admin.bash", &script);
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
