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
        "{INTRODUCTION}\n## Commands\n\n`[OPTIONS]` stands for the options in the table, `--help`, and the \
         [settings](#settings).\n"
    );
    for command in root.get_subcommands() {
        add_command(&mut text, command, &[]);
    }
    add_settings(&mut text, &root);
    add_exit_codes(&mut text, &root);
    text.push_str("\nThis page is generated from `bins/admin/src/arguments.rs` by `cargo xtask bless`.\n");
    text
}

/// Adds a section for a command, and one for each of its subcommands. `parents` are the names of the commands above.
fn add_command(text: &mut String, command: &Command, parents: &[&str]) {
    let names: Vec<&str> = parents.iter().copied().chain([command.get_name()]).collect();
    let marks = "#".repeat(2 + names.len());
    let about = command.get_long_about().or_else(|| command.get_about());
    let about = about.map(|about| sentences(&about.to_string())).unwrap_or_default();
    text.push_str(&format!("\n{marks} {}\n\n{about}\n", names.join(" ")));
    if !command.has_subcommands() || command.get_positionals().next().is_some() {
        add_arguments(text, command);
    }
    add_examples(text, command);
    for subcommand in command.get_subcommands() {
        add_command(text, subcommand, &names);
    }
}

/// Adds the usage of a command and the table of its arguments.
fn add_arguments(text: &mut String, command: &Command) {
    let usage = command.clone().render_usage().to_string();
    // A command with subcommands has a second line of usage.
    let usage = usage.trim_start_matches("Usage: ").lines().next().unwrap_or_default();
    text.push_str(&format!("\nUsage: `{}`\n", usage.trim()));
    let arguments: Vec<&Arg> = command.get_arguments().filter(|argument| is_listed(argument)).collect();
    if !arguments.is_empty() {
        text.push_str("\n| argument | meaning |\n|---|---|\n");
    }
    for argument in arguments {
        text.push_str(&format!("| `{}` | {} |\n", name(argument), meaning(argument)));
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

/// Adds the examples at the end of the help of a command.
fn add_examples(text: &mut String, command: &Command) {
    let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let lines = help.lines().filter_map(|line| line.strip_prefix("  passbook-admin "));
    let lines: Vec<String> = lines.map(|line| format!("passbook-admin {line}\n")).collect();
    if !lines.is_empty() {
        text.push_str(&format!("\n```sh\n{}```\n", lines.concat()));
    }
}

/// The name of an argument as it is written: `<FILE>`, `--user <EMAIL>` or `--yes`.
fn name(argument: &Arg) -> String {
    let value = argument.get_value_names().unwrap_or_default().first().map(|name| format!("<{name}>"));
    match (argument.get_long(), value.filter(|_| argument.get_action().takes_values())) {
        (Some(flag), Some(value)) => format!("--{flag} {value}"),
        (Some(flag), None) => format!("--{flag}"),
        (None, value) => value.unwrap_or_default(),
    }
}

/// The help of an argument, with its values and its default.
fn meaning(argument: &Arg) -> String {
    let help = argument.get_long_help().or_else(|| argument.get_help());
    let mut meaning = sentences(&help.map(ToString::to_string).unwrap_or_default());
    let quoted =
        |texts: Vec<String>| texts.iter().map(|text| format!("`{text}`")).collect::<Vec<_>>().join(", ");
    let values: Vec<String> =
        argument.get_possible_values().iter().map(|value| value.get_name().to_owned()).collect();
    let defaults = argument.get_default_values().iter().map(|value| value.to_string_lossy().into_owned());
    for (name, texts) in [("Values", values), ("Default", defaults.collect())] {
        if !texts.is_empty() && argument.get_action().takes_values() {
            meaning.push_str(&format!(" {name}: {}.", quoted(texts)));
        }
    }
    if argument.is_required_set() && argument.get_long().is_some() {
        meaning.push_str(" Required.");
    }
    meaning.replace('|', "\\|")
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
