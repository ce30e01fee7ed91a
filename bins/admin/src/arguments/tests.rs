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
fn secrets_have_no_flag() {
    let help = command().render_long_help().to_string();
    assert!(help.contains("--data-dir") && !help.contains("--admin-database-url"), "{help}");
}

#[test]
fn setting_flags_may_follow_any_command() {
    for words in [&["--data-dir", "/x", "user", "list"][..], &["user", "list", "--data-dir", "/x"]] {
        let sources = parse(words).expect("the command line is valid").sources([]);
        let mut reader = ::settings::Reader::new(&sources);
        assert_eq!(reader.path("PASSBOOK_DATA_DIR"), Some(PathBuf::from("/x")), "{words:?}");
    }
}

#[test]
fn token_lifetime_is_at_most_a_year() {
    let words = |days| ["token", "create", "--user", "e", "--name", "n", "--expires-in-days", days];
    assert!(parse(&words("365")).is_ok());
    for days in ["0", "366", "-1", "x"] {
        assert!(parse(&words(days)).is_err(), "{days}");
    }
}

#[test]
fn message_about_an_unknown_scope_lists_the_scopes() {
    let words = ["token", "create", "--user", "e", "--name", "n", "--scopes", "everything"];
    let error = parse(&words).expect_err("the scope is unknown").to_string();
    assert!(error.contains("transactions:read") && error.contains("preferences:read"), "{error}");
}

/// A valid command line of every command that takes arguments.
const LINES: [&str; 27] = [
    "migrate --dry-run",
    "doctor --output json",
    "psql --write --command x",
    "user create --email a@b.example --currency EUR --time-zone UTC --id 8c1e5d0e-1b57-5b9b-9f4e-2f6f3a500b4d",
    "user list --output text",
    "user show a@b.example",
    "user rename a@b.example --email c@d.example",
    "user delete a@b.example --yes",
    "account list --user a@b.example",
    "account show 8c1e5d0e-1b57-5b9b-9f4e-2f6f3a500b4d --user a@b.example",
    "token create --user a@b.example --name n --scopes banks:read --surfaces mcp --expires-in-days 3",
    "token list --user a@b.example",
    "token rotate 8c1e5d0e-1b57-5b9b-9f4e-2f6f3a500b4d --dry-run",
    "token revoke -",
    "client create --id c --kind known_mcp --name n --owner a@b.example --scopes banks:read --surfaces rest",
    "client list",
    "client revoke c",
    "consent list --user a@b.example",
    "consent revoke c --user a@b.example",
    "session list --user a@b.example",
    "session revoke s --user a@b.example",
    "rates load f --data-dir /x",
    "load f --config /x",
    "import beancount f --user a@b.example --ledger main --map m --replace",
    "completions bash",
    "man m",
    "help token",
];

#[test]
fn example_lines_cover_every_command() {
    let mut command = command();
    command.build();
    let mut leaves = Vec::new();
    add_leaves(&command, "", &mut leaves);
    for leaf in leaves.iter().filter(|leaf| !leaf.starts_with("help")) {
        assert!(LINES.iter().any(|line| line.starts_with(leaf.as_str())), "{leaf} has no example line");
    }
}

fn add_leaves(command: &clap::Command, path: &str, leaves: &mut Vec<String>) {
    for subcommand in command.get_subcommands().filter(|subcommand| subcommand.get_name() != "help") {
        let path = format!("{path}{} ", subcommand.get_name());
        if subcommand.has_subcommands() {
            add_leaves(subcommand, &path, leaves);
        } else {
            leaves.push(path.trim_end().to_owned());
        }
    }
}

/// Returns the line with `word` inserted at every position, in place of every word, and as the value of every flag.
fn lines_with(line: &str, word: &str) -> Vec<Vec<String>> {
    let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
    let mut lines = Vec::new();
    for index in 0..=words.len() {
        let mut inserted = words.clone();
        inserted.insert(index, word.to_owned());
        lines.push(inserted);
        let mut replaced = words.clone();
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
    for token in [
        "pfa_000000000000000000000000000000003GrczT".to_owned(),
        format!("pbk_{secret}"),
        format!("acme_{}", &secret[5..25]),
        format!("eyJhbGciOiJFUzI1NiJ9.{secret}.{secret}"),
        secret.to_owned(),
    ] {
        let mut rejected = 0;
        for words in LINES.iter().flat_map(|line| lines_with(line, &token)) {
            let words: Vec<OsString> =
                std::iter::once("passbook-admin".to_owned()).chain(words).map(Into::into).collect();
            let Err(error) = Arguments::parse(&words) else { continue };
            rejected += 1;
            let message = secrets::WithheldWords::in_arguments(&words).withhold(&error.to_string());
            let longest = &token[token.len() - 16..];
            assert!(!message.contains(longest), "{words:?}: {message}");
        }
        assert!(rejected > 100, "{rejected} command lines were rejected");
    }
}

#[test]
fn short_part_of_a_token_is_not_repeated_as_the_id_of_a_token() {
    for words in [["token", "revoke", "hunter2"], ["token", "rotate", "hunter2"]] {
        let error = parse(&words).expect_err("the id is invalid").to_string();
        assert!(!error.contains("hunter2") && error.contains("must be the id of a token"), "{error}");
    }
}

#[test]
fn help_of_every_command_names_settings_and_exit_codes() {
    let mut leaves = Vec::new();
    let mut root = command();
    root.build();
    add_leaves(&root, "", &mut leaves);
    for leaf in leaves {
        let words: Vec<&str> = leaf.split(' ').chain(["--help"]).collect();
        let help = parse(&words).expect_err("help is asked for").to_string();
        for part in ["PASSBOOK_DATA_DIR", "PASSBOOK_ADMIN_DATABASE_URL", "Exit codes:", "  65  ", "  70  "] {
            assert!(help.contains(part), "{leaf}: {part}: {help}");
        }
    }
}

#[test]
fn help_of_token_create_lists_scopes_and_default_lifetime() {
    let help = parse(&["token", "create", "--help"]).expect_err("help is asked for").to_string();
    for part in domain::scope::Scope::ALL.iter().map(|scope| scope.as_str()) {
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
