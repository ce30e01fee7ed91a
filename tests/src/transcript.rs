//! Transcripts: Markdown pages with commands and the output that they must print, run in order on one database.
//!
//! | block | effect |
//! |---|---|
//! | `console` | runs each command after `$ `, whose further lines begin with `> `; the lines below it are its output |
//! | `terminal` | runs the command after `$ ` on a terminal, with an answer for each line `? PROMPT => ANSWER`; the terminal must show the other lines |
//! | `sql` | runs each statement as the superuser; the comment lines below a statement are the rows that it returns |
//! | `sql`, with the note `in $BARE_DATABASE` | runs the statements in the second database, which begins without a schema |
//! | other, with the note `file NAME` | writes the file |
//!
//! The output is standard output, then standard error with `2> ` before each line, then `[exit N]` unless N is 0. `[..]`
//! stands for any text in a line. `$NAME` or `${NAME}` stands for the value of a variable. An unknown variable takes the
//! word that is printed in its place as value, and the later blocks may use the variable. A command that starts with
//! `export` or `unset` also applies to all later commands.
//!
//! A page that is rewritten shows the values of that run, except in lines that matched before: put `[..]` or a variable in
//! place of identifiers and times that differ in each run.

use std::fmt::Write as _;
use std::path::Path;
use std::sync::LazyLock;

use passbook_store::DatabaseAddress;
use regex::{Captures, Regex, escape};
use tokio_postgres::{Client, SimpleQueryMessage};

use crate::database::Database;
use crate::documents::{Block, blocks_in};
use crate::temporary::Folder;
use crate::terminal::{self, Reply};

const PROGRAMS: [&str; 2] = ["passbook-admin", "passbook-server"];
/// Starts of commands that change the environment.
const LASTING: [&str; 2] = ["export ", "unset "];

/// A running transcript: its variables by name, and the lasting commands before the current one.
struct Transcript {
    folder: Folder,
    database: Database,
    /// The database that begins without a schema, for a page that names it.
    bare: Option<Database>,
    variables: Vec<(String, String)>,
    environment: String,
    is_blessing: bool,
}

/// Runs the page `path` on new databases. Rewrites the page instead of comparing if `PASSBOOK_TEST_BLESS` is set.
///
/// # Panics
/// If a command prints anything else than the page shows.
pub async fn check(path: &str) {
    let page = crate::text_of(path);
    let mut transcript = Transcript {
        folder: Folder::create(),
        database: Database::fresh().await,
        bare: if page.contains("BARE_DATABASE") { Some(Database::bare().await) } else { None },
        variables: Vec::new(),
        environment: String::new(),
        is_blessing: std::env::var_os("PASSBOOK_TEST_BLESS").is_some(),
    };
    transcript.define();
    let (mut written, mut rest) = (String::new(), page.as_str());
    for block in blocks_in(path, &page) {
        let shown = match (block.language, block.note) {
            ("console", None) => transcript.run_commands(&block),
            ("terminal", None) => transcript.run_on_terminal(&block),
            ("sql", None) => {
                let superuser = transcript.database.connect("postgres").await;
                transcript.run_statements(&block, &superuser).await
            }
            ("sql", Some("in $BARE_DATABASE")) => {
                let superuser =
                    transcript.bare.as_ref().expect("the page names it").connect("postgres").await;
                transcript.run_statements(&block, &superuser).await
            }
            (_, Some(note)) => transcript.write(note.strip_prefix("file ").expect("a file"), block.text),
            (language, None) => panic!("{}: a block of {language} without a file", block.place()),
        };
        let opened = format!("```{}\n", block.language);
        let (before, after) = rest.split_once(&format!("{opened}{}```", block.text)).expect("the block");
        write!(written, "{before}{opened}{shown}```").expect("text");
        rest = after;
    }
    if transcript.is_blessing {
        std::fs::write(crate::root().join(path), written + rest).expect("the page is written");
    }
}

impl Transcript {
    /// Defines the variables that every transcript has, and the environment of its commands.
    fn define(&mut self) {
        let text = |path: &Path| path.to_str().expect("UTF-8").to_owned();
        self.set("HOME", text(self.folder.path()));
        self.set("REPOSITORY", text(&crate::root()));
        let databases = [(Some(self.database.clone()), ""), (self.bare.clone(), "BARE_")];
        for (database, prefix) in databases {
            let Some(database) = database else { continue };
            let address = DatabaseAddress::of(&database.configuration("postgres"));
            let url = database.url("").split_once('@').expect("a URL").1.to_owned();
            self.set(&format!("{prefix}DATABASE"), url);
            self.set(&format!("{prefix}DATABASE_NAME"), address.database().to_owned());
            self.set(&format!("{prefix}SERVER"), address.hosts().to_owned());
        }
        let writer = "export PASSBOOK_ADMIN_DATABASE_URL=postgresql://passbook_writer@$DATABASE\n";
        self.environment.push_str(writer);
    }

    /// Gives a variable its value, for this page and for the shell.
    fn set(&mut self, name: &str, value: String) {
        writeln!(self.environment, "export {name}='{value}'").expect("text");
        self.variables.push((name.to_owned(), value));
    }

    fn write(&self, name: &str, text: &str) -> String {
        self.folder.write(name, &self.filled(text));
        text.to_owned()
    }

    /// Runs the commands of a block. Returns the block with their output.
    fn run_commands(&mut self, block: &Block<'_>) -> String {
        let mut shown = String::new();
        let mut lines = block.text.lines().peekable();
        while let Some(first) = lines.next() {
            let mut command =
                first.strip_prefix("$ ").unwrap_or_else(|| panic!("{}: {first}", block.place())).to_owned();
            writeln!(shown, "{first}").expect("text");
            while let Some(line) = lines.next_if(|line| line.starts_with("> ") || *line == ">") {
                writeln!(shown, "{line}").expect("text");
                write!(command, "\n{}", line[1..].trim_start_matches(' ')).expect("text");
            }
            let mut expected = Vec::new();
            while let Some(line) = lines.next_if(|line| !line.starts_with("$ ")) {
                expected.push(line);
            }
            let printed = self.run(&command);
            shown += &self.compare(&block.place(), &command, &expected, &printed);
        }
        shown
    }

    /// Runs the command of a block on a terminal. Returns the block.
    fn run_on_terminal(&mut self, block: &Block<'_>) -> String {
        let (command, rest) = block.text.split_once('\n').expect("a command");
        let (answers, expected): (Vec<&str>, Vec<&str>) =
            rest.lines().partition(|line| line.starts_with("? "));
        let answers: Vec<(&str, Reply<'_>)> = answers
            .iter()
            .map(|line| line[2..].split_once(" =>").expect("an answer"))
            .map(|(prompt, answer)| (prompt, Reply::Line(answer.trim())))
            .collect();
        let shell = self.folder.shell(&self.script(&command[2..]), &PROGRAMS);
        let (status, screen) = terminal::run(shell, &answers);
        assert!(status.success(), "{}: {screen}", block.place());
        let mut shown = screen.lines().map(str::trim_end);
        for line in expected {
            assert!(shown.any(|shown| self.matches(line, shown)), "{}: {line}\n{screen}", block.place());
        }
        block.text.to_owned()
    }

    /// Returns the script of a command. A failed command does not end it, unlike in a document.
    fn script(&self, command: &str) -> String {
        format!("set +eu\n{}{command}", self.environment)
    }

    /// Runs a command. Returns the lines of its output.
    fn run(&mut self, command: &str) -> Vec<String> {
        let script = self.script(command);
        let output = self.folder.run(&script, &PROGRAMS);
        if LASTING.iter().any(|start| command.starts_with(start)) {
            writeln!(self.environment, "{command}").expect("text");
        }
        let mut printed = Vec::new();
        for (text, prefix) in [(output.stdout, ""), (output.stderr, "2> ")] {
            let text = String::from_utf8(text).expect("UTF-8");
            // Editors remove a space at the end of a line.
            printed.extend(text.lines().map(|line| format!("{prefix}{line}").trim_end().to_owned()));
            if !text.is_empty() && !text.ends_with('\n') {
                printed.push(format!("{prefix}[no line end]"));
            }
        }
        match output.status.code() {
            Some(0) => {}
            Some(code) => printed.push(format!("[exit {code}]")),
            None => printed.push("[killed]".to_owned()),
        }
        printed
    }

    /// Runs the statements of a block. Returns the block with their rows.
    async fn run_statements(&mut self, block: &Block<'_>, superuser: &Client) -> String {
        let mut shown = String::new();
        let mut lines = block.text.lines().peekable();
        while lines.peek().is_some() {
            let mut statement = String::new();
            while let Some(line) = lines.next_if(|line| !line.starts_with("-- ")) {
                writeln!(statement, "{line}").expect("text");
                if line.ends_with(';') {
                    break;
                }
            }
            let mut expected = Vec::new();
            while let Some(line) = lines.next_if(|line| line.starts_with("-- ")) {
                expected.push(line);
            }
            let returned = superuser.simple_query(&self.filled(&statement)).await;
            let returned =
                returned.unwrap_or_else(|error| panic!("{}: {statement}: {error:?}", block.place()));
            let rows = returned.iter().filter_map(|message| match message {
                SimpleQueryMessage::Row(row) => {
                    let cells: Vec<&str> =
                        (0..row.len()).map(|column| row.get(column).unwrap_or("null")).collect();
                    Some(format!("-- {}", cells.join(" | ")))
                }
                _ => None,
            });
            let rows: Vec<String> = rows.collect();
            shown += &statement;
            shown += &self.compare(&block.place(), &statement, &expected, &rows);
        }
        shown
    }

    /// Compares printed lines with the expected ones. Returns the lines to show: an expected line where it matches.
    fn compare(&mut self, place: &str, command: &str, expected: &[&str], printed: &[String]) -> String {
        let mut lines: Vec<String> = Vec::new();
        let mut rest = expected;
        for line in printed {
            let matching = if self.is_blessing { rest.len() } else { rest.len().min(1) };
            let found = (0..matching).find(|index| self.matches(rest[*index], line));
            lines.push(match found {
                Some(index) => rest[index].to_owned(),
                None => self.generalized(line),
            });
            rest = &rest[found.map_or(1, |index| index + 1).min(rest.len())..];
        }
        let shown: String = lines.iter().map(|line| format!("{line}\n")).collect();
        if !self.is_blessing {
            let expected: String = expected.iter().map(|line| format!("{line}\n")).collect();
            assert!(shown == expected, "{place}: {command}\n\nexpected:\n{expected}\nprinted:\n{shown}");
        }
        shown
    }

    /// Returns true if a printed line has the expected form. The unknown variables of the form take their values.
    fn matches(&mut self, expected: &str, printed: &str) -> bool {
        static PLACE: LazyLock<Regex> =
            LazyLock::new(|| expression(r"\[\.\.\]|\$([A-Za-z_]+)|\$\{([A-Za-z_]+)\}"));
        let (mut pattern, mut unknown, mut at) = ("^".to_owned(), Vec::new(), 0);
        for found in PLACE.captures_iter(expected) {
            let whole = found.get(0).expect("a match");
            pattern += &escape(&expected[at..whole.start()]);
            at = whole.end();
            match found.get(1).or(found.get(2)).map(|name| (name.as_str(), self.value(name.as_str()))) {
                None => pattern += ".*",
                Some((_, Some(value))) => pattern += &escape(value),
                Some((name, None)) => {
                    pattern += r#"([^\s"',;:)]+)"#;
                    unknown.push(name.to_owned());
                }
            }
        }
        let pattern = format!("{pattern}{}$", escape(&expected[at..]));
        let Some(found) = expression(&pattern).captures(printed) else { return false };
        for (index, name) in unknown.into_iter().enumerate() {
            self.set(&name, found[index + 1].to_owned());
        }
        true
    }

    fn value(&self, name: &str) -> Option<&str> {
        self.variables.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// Returns a text with the values of its variables. A name that is no variable stays.
    fn filled(&self, text: &str) -> String {
        static VARIABLE: LazyLock<Regex> = LazyLock::new(|| expression(r"\$([A-Za-z_]+)"));
        let value = |found: &Captures<'_>| self.value(&found[1]).unwrap_or(&found[0]).to_owned();
        VARIABLE.replace_all(text, value).into_owned()
    }

    /// Returns a printed line with the variables in place of their values.
    fn generalized(&self, line: &str) -> String {
        let mut variables: Vec<_> = self.variables.iter().collect();
        variables.sort_by_key(|(_, value)| std::cmp::Reverse(value.len()));
        let with =
            |line: String, (name, value): &(String, String)| line.replace(value, &format!("${{{name}}}"));
        let line = variables.into_iter().fold(line.to_owned(), with);
        // Braces only separate a name from the letters after it.
        static BRACES: LazyLock<Regex> = LazyLock::new(|| expression(r"\$\{([A-Za-z_]+)\}(\W|$)"));
        BRACES.replace_all(&line, "$$$1$2").into_owned()
    }
}

fn expression(pattern: &str) -> Regex {
    Regex::new(pattern).expect("the expression is valid")
}
