//! Finds the statements that the server sends for a request, from the log of PostgreSQL.
//!
//! So the reference "the server's own transaction" is always what the server sends, with the same parameters.

use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::Path;
use std::thread;
use std::time::Duration;

use super::http::{Connection, Request};
use super::postgres::Postgres;

/// Time until every process of PostgreSQL has read a changed setting, in milliseconds.
const RELOAD_MILLISECONDS: u64 = 500;

/// A statement with the values of its parameters; `None` is null.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Statement {
    pub(super) sql: String,
    pub(super) parameters: Vec<Option<String>>,
}

/// Sends a request twice and returns the statements of the second response, in order. The first response fills the
/// caches of the server.
pub(super) fn statements(postgres: &Postgres, request: &Request) -> Result<Vec<Statement>, String> {
    let mut connection = Connection::open(request)?;
    connection.exchange(request)?;
    set_log_statement(postgres, "all")?;
    let before = std::fs::metadata(postgres.log()).map_err(|error| error.to_string())?.len();
    let exchanged = connection.exchange(request).map(|_| ());
    let logged = read_from(&postgres.log(), before);
    set_log_statement(postgres, "none")?;
    exchanged?;
    Ok(parse(&logged?))
}

fn set_log_statement(postgres: &Postgres, value: &str) -> Result<(), String> {
    postgres.query("postgres", &format!("alter system set log_statement = '{value}'"))?;
    postgres.query("postgres", "select pg_reload_conf()")?;
    thread::sleep(Duration::from_millis(RELOAD_MILLISECONDS));
    Ok(())
}

fn read_from(path: &Path, start: u64) -> Result<String, String> {
    let failed = |error: std::io::Error| format!("{}: {error}", path.display());
    let mut file = std::fs::File::open(path).map_err(failed)?;
    file.seek(SeekFrom::Start(start)).map_err(failed)?;
    let mut text = String::new();
    file.read_to_string(&mut text).map_err(failed)?;
    Ok(text)
}

/// Reads the statements of a log whose line prefix starts with `@@`. Further lines of a record start with a tab.
fn parse(log: &str) -> Vec<Statement> {
    let mut statements: Vec<Statement> = Vec::new();
    for record in log.split("@@").skip(1) {
        let Some((_, message)) = record.split_once(' ') else { continue };
        let message = message.replace("\n\t", "\n");
        if let Some(sql) = message.strip_prefix("LOG:  statement: ") {
            statements.push(Statement { sql: without_comments(sql), parameters: Vec::new() });
        } else if let Some((_, sql)) =
            message.strip_prefix("LOG:  execute ").and_then(|rest| rest.split_once(": "))
        {
            statements.push(Statement { sql: without_comments(sql), parameters: Vec::new() });
        } else if let Some((_, listed)) = message.split_once("arameters: ")
            && let Some(last) = statements.last_mut()
        {
            last.parameters = parameters(listed);
        }
    }
    statements
}

fn without_comments(sql: &str) -> String {
    let lines = sql.lines().filter(|line| !line.trim_start().starts_with("--"));
    lines.collect::<Vec<_>>().join("\n").trim().trim_end_matches(';').to_owned()
}

/// Reads a list such as `$1 = 'it''s', $2 = NULL`.
fn parameters(listed: &str) -> Vec<Option<String>> {
    let mut values = Vec::new();
    let mut rest = listed.trim();
    while let Some((_, value)) = rest.split_once(" = ") {
        if let Some(quoted) = value.strip_prefix('\'') {
            let mut text = String::new();
            let mut letters = quoted.char_indices().peekable();
            let mut end = quoted.len();
            while let Some((at, letter)) = letters.next() {
                if letter != '\'' {
                    text.push(letter);
                } else if letters.next_if(|(_, next)| *next == '\'').is_some() {
                    text.push('\'');
                } else {
                    end = at + 1;
                    break;
                }
            }
            values.push(Some(text));
            rest = &quoted[end..];
        } else {
            values.push(None);
            rest = value.strip_prefix("NULL").unwrap_or(value);
        }
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_and_parameters_are_read() {
        let log = "@@7 LOG:  statement: begin read only\n@@7 LOG:  execute s1: -- One page.\n\tselect a\n\tfrom t where b = $1\n@@7 DETAIL:  parameters: $1 = 'it''s = ,', $2 = NULL, $3 = '{\"a\"}'\n@@7 LOG:  statement: commit\n";
        let statement = |sql: &str, parameters| Statement { sql: sql.to_owned(), parameters };
        let text = |value: &str| Some(value.to_owned());
        assert_eq!(
            parse(log),
            [
                statement("begin read only", vec![]),
                statement("select a\nfrom t where b = $1", vec![text("it's = ,"), None, text("{\"a\"}")]),
                statement("commit", vec![]),
            ]
        );
    }
}
