//! Generates `docs/administration.md` from the definition of the command line. Libraries such as `clap-markdown` repeat
//! every setting below every command, and have neither examples nor exit codes.

use clap::{Arg, ArgAction, Command};

use crate::arguments;

/// The hand-written start of the page.
const INTRODUCTION: &str = include_str!("reference/introduction.md");

/// Returns the text of `docs/administration.md`.
fn page() -> String {
    let mut root = arguments::command().disable_help_subcommand(true);
    root.build();
    let mut text = format!(
        "{INTRODUCTION}\n## Commands\n\n`passbook-admin COMMAND --help` explains the options. Every command also has the \
         [settings](#settings).\n"
    );
    for command in root.get_subcommands() {
        add_command(&mut text, command);
    }
    add_settings(&mut text, &root);
    add_exit_codes(&mut text, &root);
    text.push_str("\nThis page is generated from `bins/admin/src/arguments.rs` by `cargo xtask bless`.\n");
    text
}

/// Adds a section for a command with its subcommands: a table, and the examples.
fn add_command(text: &mut String, command: &Command) {
    let (mut rows, mut examples) = (String::new(), String::new());
    add_rows(&mut rows, &mut examples, command, &[]);
    let name = command.get_name();
    text.push_str(&format!(
        "\n### {name}\n\n| command | effect | options |\n|---|---|---|\n{rows}{examples}"
    ));
}

/// Adds a row for each command that can run, and the examples that are new. `parents` are the names of the commands above.
fn add_rows(rows: &mut String, examples: &mut String, command: &Command, parents: &[&str]) {
    let names: Vec<&str> = parents.iter().copied().chain([command.get_name()]).collect();
    if !command.has_subcommands() || command.get_positionals().next().is_some() {
        let usage = command.clone().render_usage().to_string();
        // A command with subcommands has a second line of usage.
        let usage = usage.trim_start_matches("Usage: passbook-admin ").lines().next().unwrap_or_default();
        let usage = usage.replace(" [OPTIONS]", "");
        let about = command.get_long_about().or_else(|| command.get_about());
        let about = sentences(&about.map(ToString::to_string).unwrap_or_default());
        let options = command.get_arguments().filter(|argument| is_listed(argument)).filter_map(|argument| {
            let is_in_usage = usage.contains(&format!("--{}", argument.get_long()?));
            (!is_in_usage).then(|| format!("`{}`", name(argument)))
        });
        let options = options.collect::<Vec<String>>().join(" ");
        let cells = [format!("`{}`", usage.trim()), about, options].map(|cell| cell.replace('|', "\\|"));
        rows.push_str(&format!("| {} |\n", cells.join(" | ")));
    }
    let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let lines = help.lines().filter_map(|line| line.strip_prefix("  passbook-admin "));
    let new: Vec<&str> =
        lines.filter(|line| !examples.contains(&format!("passbook-admin {line}\n"))).collect();
    if !new.is_empty() {
        let new: String = new.iter().map(|line| format!("passbook-admin {line}\n")).collect();
        examples.push_str(&format!("\n```sh\n{new}```\n"));
    }
    for subcommand in command.get_subcommands() {
        add_rows(rows, examples, subcommand, &names);
    }
}

/// Returns false for the flags that every command accepts, and for hidden ones.
fn is_listed(argument: &Arg) -> bool {
    let is_help = matches!(
        argument.get_action(),
        ArgAction::Help | ArgAction::HelpShort | ArgAction::HelpLong | ArgAction::Version
    );
    !is_help && !argument.is_global_set() && !argument.is_hide_set()
}

/// The name of a flag as it is written: `--user <EMAIL>` or `--yes`.
fn name(argument: &Arg) -> String {
    let flag = argument.get_long().unwrap_or_default();
    match argument.get_value_names().and_then(<[_]>::first) {
        Some(value) if argument.get_action().takes_values() => format!("--{flag} <{value}>"),
        _ => format!("--{flag}"),
    }
}

/// A text of clap as sentences: with a full stop at the end of each paragraph, and on one line.
fn sentences(text: &str) -> String {
    let paragraphs = text.split("\n\n").map(|paragraph| {
        let paragraph = paragraph.split_whitespace().collect::<Vec<&str>>().join(" ");
        if paragraph.is_empty() || paragraph.ends_with('.') { paragraph } else { format!("{paragraph}.") }
    });
    paragraphs.collect::<Vec<String>>().join(" ")
}

fn add_settings(text: &mut String, root: &Command) {
    text.push_str("\n## Settings\n\nEvery command accepts these flags. [config.toml](config.toml) describes them, and [deployment](deployment.md#how-to-give-a-setting) explains how to give a setting.\n\n");
    text.push_str("| flag | meaning |\n|---|---|\n");
    for argument in root.get_arguments().filter(|argument| argument.is_global_set()) {
        let help = argument.get_help().map(ToString::to_string).unwrap_or_default();
        text.push_str(&format!("| `{}` | {help} |\n", name(argument)));
    }
    text.push_str("\n`PASSBOOK_ADMIN_DATABASE_URL` has no flag, because all users of the machine can read command lines.\n");
}

/// Adds the table of exit codes, from the end of the help.
fn add_exit_codes(text: &mut String, root: &Command) {
    let help = root.get_after_help().map(ToString::to_string).unwrap_or_default();
    let (_, codes) = help.split_once("Exit codes:\n").expect("the help ends with the exit codes");
    text.push_str("\n## Exit codes\n\n| code | cause |\n|---|---|\n");
    for (code, cause) in codes.lines().filter_map(|line| line.trim().split_once("  ")) {
        text.push_str(&format!("| {code} | {} |\n", cause.trim()));
    }
}

#[test]
fn administration_document_matches_the_commands() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/administration.md");
    let page = page();
    if std::env::var_os("PASSBOOK_TEST_BLESS").is_some() {
        std::fs::write(&path, &page).expect("the document is written");
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(committed == page, "docs/administration.md differs from the commands: run cargo xtask bless");
}
