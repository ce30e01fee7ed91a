//! The programs of `docs/clients.md` in shell, with jq, and in Python print what the page shows.

use std::process::{Command, Output};

use tests::app::App;
use tests::documents::blocks;

/// Each program: the note and language of its block, and the interpreter.
const PROGRAMS: [(&str, &str, &str); 2] = [("run with jq", "sh", "sh"), ("run", "python", "python3")];

fn run(app: &App, token: &str, interpreter: &str, program: &str) -> Output {
    let mut command = Command::new(interpreter);
    command.args(["-c", program]).envs([("BASE", app.base_url.as_str()), ("TOKEN", token)]);
    command.output().unwrap_or_else(|error| panic!("{interpreter}: {error}"))
}

#[tokio::test(flavor = "multi_thread")]
async fn programs_in_shell_and_python_print_the_shown_totals() {
    let blocks = tests::documents::blocks_of("docs/clients.md");
    let totals = blocks.iter().find(|block| block.note == Some("printed by the programs")).expect("totals");
    let app = App::demo_household().await;
    let token = app.token(passbook_demo::USER_ID).await;
    for (note, language, interpreter) in PROGRAMS {
        let is_program = |block: &&blocks::Block<'_>| (block.note, block.language) == (Some(note), language);
        let block = blocks.iter().find(is_program).expect("a program");
        let output = run(&app, &token, interpreter, block.text);
        assert!(output.status.success(), "{}: {output:?}", block.place());
        totals.assert_shows(&String::from_utf8(output.stdout).expect("UTF-8"));
        // A program that receives an error must not print a total, which would be wrong.
        let output = run(&app, "pbk_wrong", interpreter, block.text);
        let printed = String::from_utf8_lossy(&output.stdout);
        assert!(!output.status.success() && !printed.contains(" transactions"), "{output:?}");
    }
}
