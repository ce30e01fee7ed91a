//! `docs/config.toml`: both programs accept the file as it is, and with every setting.

use std::path::Path;
use std::process::Command;

use tests::database::Database;

use tests::server_process::{Running, TestFolder};

/// The text of the example, as it is and with every setting uncommented.
fn example() -> [String; 2] {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/config.toml");
    let text = std::fs::read_to_string(path).expect("the file is read");
    let uncommented = text.lines().map(|line| match line.strip_prefix('#') {
        Some(setting) if !setting.is_empty() && !setting.starts_with(' ') => setting,
        _ => line,
    });
    let every = uncommented.collect::<Vec<&str>>().join("\n");
    [text, every]
}

#[tokio::test]
async fn both_programs_accept_the_commented_settings_file() {
    let (folder, database) = (TestFolder::create(), Database::fresh().await);
    let pair = rcgen::generate_simple_self_signed(["localhost".to_owned()]).expect("a certificate");
    let certificate = folder.file("certificate.pem", &pair.cert.pem());
    let key = folder.file("key.pem", &pair.signing_key.serialize_pem());
    for (name, text) in ["as-it-is.toml", "every-setting.toml"].iter().zip(example()) {
        let file = folder.file(name, &text);
        // The environment takes precedence over the file's examples of addresses and paths.
        let mut server = folder.server(&["--config", &file]);
        server.env("PASSBOOK_DATABASE_URL", database.url("passbook_reader"));
        server.env("PASSBOOK_TLS_CERTIFICATE", &certificate).env("PASSBOOK_TLS_KEY", &key);
        let mut server = Running::start(server);
        server.lines(4);
        let ended = server.stop("TERM");
        assert_eq!(ended.code, Some(0), "{name}: {}", ended.stderr);
        let admin = Command::new(tests::binary("passbook-admin"))
            .args(["user", "list", "--config", &file])
            .env_clear()
            .env("HOME", folder.path())
            .env("PASSBOOK_ADMIN_DATABASE_URL", database.url("passbook_writer"))
            .output()
            .expect("the tool runs");
        assert!(admin.status.success(), "{name}: {}", String::from_utf8_lossy(&admin.stderr));
    }
}
