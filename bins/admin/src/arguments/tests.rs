//! The definition of the command line, and its messages.

use std::path::PathBuf;

use super::*;

fn parse(words: &[&str]) -> Result<Arguments, clap::Error> {
    let words: Vec<OsString> = std::iter::once(&"passbook-admin").chain(words).map(OsString::from).collect();
    Arguments::parse(&words)
}

#[test]
fn command_line_is_consistent() {
    command().debug_assert();
}

#[test]
fn setting_flags_may_follow_any_command() {
    for words in [&["--data-dir", "/x", "user", "list"][..], &["user", "list", "--data-dir", "/x"]] {
        let sources = parse(words).expect("the command line is valid").sources([]);
        let mut reader = passbook_settings::Reader::new(&sources);
        assert_eq!(
            reader.optional(passbook_settings::keys::DATA_DIR),
            Some(PathBuf::from("/x")),
            "{words:?}"
        );
    }
}

#[test]
fn message_about_a_word_that_people_try_names_the_command() {
    for (words, command) in [
        (&["undo", "f.csv"][..], "passbook-admin import undo FILE"),
        (&["import", "f.csv", "--undo"], "passbook-admin import undo FILE"),
        (&["init"], "passbook-admin setup FOLDER"),
    ] {
        let error = parse(words).expect_err("the word is unknown").to_string();
        assert!(error.contains(command), "{error}");
    }
    assert!(parse(&["account", "add", "Main", "--bank", "B"]).is_ok());
}

/// Returns the words of every command, each with the command's definition.
fn leaves(command: &clap::Command) -> Vec<(Vec<String>, clap::Command)> {
    let subcommands = command.get_subcommands().filter(|subcommand| subcommand.get_name() != "help");
    let with_name = |subcommand: &clap::Command| {
        let name = subcommand.get_name().to_owned();
        let prefixed = move |(mut words, leaf): (Vec<String>, clap::Command)| {
            words.insert(0, name.clone());
            (words, leaf)
        };
        leaves(subcommand).into_iter().map(prefixed).collect::<Vec<_>>()
    };
    let mut found: Vec<_> = subcommands.flat_map(with_name).collect();
    if found.is_empty() || command.get_positionals().next().is_some() {
        found.push((Vec::new(), command.clone()));
    }
    found
}

/// Returns a command line for every command, with every argument and flag.
fn lines() -> Vec<Vec<String>> {
    let mut root = command();
    root.build();
    let line = |(mut words, leaf): (Vec<String>, clap::Command)| {
        for argument in leaf.get_arguments() {
            words.extend(argument.get_long().map(|flag| format!("--{flag}")));
            if argument.get_action().takes_values() {
                words.push("x".to_owned());
            }
        }
        words.retain(|word| !["--help", "--version"].contains(&word.as_str()));
        words
    };
    leaves(&root).into_iter().map(line).collect()
}

/// Returns the line with `word` inserted at every position, in place of every word, and as the value of every flag.
fn lines_with(words: &[String], word: &str) -> Vec<Vec<String>> {
    let mut lines = Vec::new();
    for index in 0..=words.len() {
        let mut inserted = words.to_vec();
        inserted.insert(index, word.to_owned());
        lines.push(inserted);
        let mut replaced = words.to_vec();
        if let Some(place) = replaced.get_mut(index) {
            *place = if place.starts_with("--") { format!("{place}={word}") } else { word.to_owned() };
            lines.push(replaced);
        }
    }
    lines
}

#[test]
fn message_about_wrong_usage_never_repeats_a_token() {
    let secret = "0123456789ABCDEFGHIJabcdefghij";
    let tokens = [
        "pfa_000000000000000000000000000000003GrczT".to_owned(),
        format!("pbk_{secret}"),
        format!("acme_{}", &secret[5..25]),
        format!("eyJhbGciOiJFUzI1NiJ9.{secret}.{secret}"),
        secret.to_owned(),
    ];
    // Parsing takes most of the time, and does not depend on the kind of token: each line has one of them.
    let check = |(number, token): (usize, &String)| {
        let mut rejected = 0;
        let lines = lines().iter().flat_map(|line| lines_with(line, token)).collect::<Vec<_>>();
        for words in lines.into_iter().skip(number).step_by(tokens.len()) {
            let words: Vec<OsString> =
                std::iter::once("passbook-admin".to_owned()).chain(words).map(Into::into).collect();
            let Err(error) = Arguments::parse(&words) else { continue };
            rejected += 1;
            let message = secrets::WithheldWords::in_arguments(&words).withhold(&error.to_string());
            let longest = &token[token.len() - 16..];
            assert!(!message.contains(longest), "{words:?}: {message}");
        }
        assert!(rejected > 100, "{rejected} command lines were rejected");
    };
    std::thread::scope(|threads| {
        for token in tokens.iter().enumerate() {
            threads.spawn(move || check(token));
        }
    });
}

#[test]
fn help_of_every_command_names_settings_and_exit_codes() {
    let mut root = command();
    root.build();
    for (words, _) in leaves(&root) {
        let leaf = words.join(" ");
        let words: Vec<&str> = words.iter().map(String::as_str).chain(["--help"]).collect();
        let help = parse(&words).expect_err("help is asked for").to_string();
        for part in ["PASSBOOK_DATA_DIR", "PASSBOOK_ADMIN_DATABASE_URL", "Exit codes:", "  65  ", "  70  "] {
            assert!(help.contains(part), "{leaf}: {part}: {help}");
        }
        let [options, settings] =
            ["\nOptions:\n", "\nSettings:\n"].map(|heading| help.find(heading).expect(heading));
        assert!(options < settings, "{leaf}: {help}");
    }
}

#[test]
fn help_of_doctor_names_the_settings_of_the_server() {
    let help = parse(&["doctor", "--help"]).expect_err("help is asked for").to_string();
    let read =
        passbook_settings::SETTINGS.iter().filter(|setting| setting.read_by.contains(&Program::Doctor));
    for setting in read {
        assert!(help.contains(setting.name), "{}: {help}", setting.name);
    }
}

#[test]
fn help_of_token_create_lists_scopes_and_default_lifetime() {
    let help = parse(&["token", "create", "--help"]).expect_err("help is asked for").to_string();
    for part in passbook_domain::scope::Scope::ALL.iter().map(|scope| scope.as_str()) {
        assert!(help.contains(part), "{part}: {help}");
    }
    assert!(help.contains("at most 365 [default: 90]"), "{help}");
}

#[test]
fn help_of_each_group_has_examples() {
    for command in command().get_subcommands() {
        let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
        assert!(help.contains("  passbook-admin "), "{}: {help}", command.get_name());
    }
}
