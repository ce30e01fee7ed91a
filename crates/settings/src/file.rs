//! The settings file: TOML with one key for each setting.

use std::collections::BTreeMap;
use std::path::Path;

use passbook_input::{Fault, Faults};
use toml::{Table, Value};

use crate::table::SETTINGS;

/// Maximum size of a settings file, in bytes.
const FILE_BYTES_MAX: u64 = 64 * 1024;

/// Reads a settings file. A file that does not exist is empty unless `must_exist` is true.
pub(crate) fn read(path: &Path, must_exist: bool) -> Result<String, Fault> {
    let problem = |message: String| Fault::verbatim(path.display().to_string(), message);
    match std::fs::metadata(path) {
        Ok(metadata) if metadata.len() > FILE_BYTES_MAX => {
            return Err(problem(format!(
                "is larger than {FILE_BYTES_MAX} bytes, the maximum for a settings file"
            )));
        }
        Err(_) if !must_exist => return Ok(String::new()),
        Ok(_) | Err(_) => {}
    }
    std::fs::read_to_string(path).map_err(|source| problem(format!("cannot be read: {source}")))
}

/// Returns the values in the text of a settings file, each with the environment name of its setting. Adds a problem for
/// each key that is no setting, and for each value of a wrong type.
pub(crate) fn values(path: &Path, text: &str, problems: &mut Faults) -> BTreeMap<String, String> {
    let table = text.parse().unwrap_or_else(|source: toml::de::Error| {
        problems.push(not_toml(path, text, &source));
        Table::new()
    });
    let mut values = BTreeMap::new();
    for (key, value) in table {
        let Some(setting) = SETTINGS.iter().find(|setting| setting.key() == key) else {
            problems.push(unknown(&key, path));
            continue;
        };
        let value = match value {
            Value::String(text) => text,
            Value::Integer(number) => number.to_string(),
            Value::Boolean(boolean) => boolean.to_string(),
            Value::Float(_) | Value::Datetime(_) | Value::Array(_) | Value::Table(_) => {
                let message = format!("must be text, a whole number, true or false in {}", path.display());
                problems.push(Fault::verbatim(key, message));
                continue;
            }
        };
        values.insert(setting.name.to_owned(), value);
    }
    values
}

/// Returns the problem of a file that is not TOML. The message names the line but does not show it, because the line
/// may hold a secret.
fn not_toml(path: &Path, text: &str, source: &toml::de::Error) -> Fault {
    let before = source.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
    let line = before.matches('\n').count() + 1;
    let message = format!("is not TOML at line {line}: {}", source.message());
    Fault::verbatim(path.display().to_string(), message)
}

fn unknown(key: &str, path: &Path) -> Fault {
    let message = format!(
        "is not a setting of this version: remove the key from {}, or correct it (docs/config.toml lists every \
         setting)",
        path.display()
    );
    Fault::verbatim(key, message)
}
