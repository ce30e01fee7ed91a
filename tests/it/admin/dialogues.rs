//! The dialogues of `setup` on a pseudo-terminal: answers, the end of the input, and an interrupt. The transcript `setup` shows the
//! command without a terminal.

use std::os::unix::process::ExitStatusExt as _;
use std::process::{Command, ExitStatus};

use nix::sys::signal::Signal;
use tests::admin::number;
use tests::database::Database;
use tests::temporary::Folder;
use tests::terminal::Reply::{End, Interrupt, Line};
use tests::terminal::{self, Reply};

/// A file of an unknown bank, whose days fit two orders.
const FILE: &str =
    "Date;Text;Amount\n01/02/2026;Coffee;-3,50\n05/03/2026;Rent;-900,00\n06/03/2026;Salary;2500,00\n";
const SIGTERM: i32 = Signal::SIGTERM as i32;

/// Runs `setup` on a terminal. Returns its end and what it showed.
fn setup(database: &Database, folder: &str, replies: &[(&str, Reply<'_>)]) -> (ExitStatus, String) {
    let mut command = Command::new(tests::binary("passbook-admin"));
    command
        .args(["setup", folder])
        .env_clear()
        .envs([("HOME", folder), ("LC_ALL", "de_DE.UTF-8"), ("TZ", "Europe/Berlin")])
        .env("PASSBOOK_ADMIN_DATABASE_URL", database.url("passbook_writer"));
    terminal::run(command, replies)
}

#[tokio::test(flavor = "multi_thread")]
async fn dialogue_of_setup_stores_what_was_answered_and_nothing_if_it_ends_early() {
    let database = Database::fresh().await;
    let folder = Folder::create();
    folder.write("new.csv", FILE);
    let path = folder.path().to_str().expect("UTF-8");
    // The numbers of users, accounts, transactions and own profiles.
    let counts = async || {
        let count =
            async |table: &str| number(&database, &format!("select count(*) from passbook.{table}")).await;
        (
            count("users").await,
            count("accounts").await,
            count("transactions").await,
            count("csv_profiles").await,
        )
    };
    let email = ("E-mail", Line("you@example.org"));
    let [currency, zone] = [("Currency", Line("")), ("Time zone", Line(""))];
    let bank = ("Name of the bank", Line("My bank"));
    let [order, of_amounts] = [("date_order", Line("dmy")), ("Currency of the amounts", Line("EUR"))];
    let balance = "Balance of My bank Account today";
    let unclear = ("must be one of", Line(""));
    let nobody = [("E-mail", Line("nobody")), ("must be", Line("no one")), ("must be", Line(""))];
    // The code with which the program exits, or the signal that ends it. An import is stored as a whole before the next prompt.
    for (replies, code, signal, expected) in [
        (nobody.to_vec(), Some(64), None, (0, 0, 0, 0)),
        (vec![email, ("Currency", End)], Some(64), None, (0, 0, 0, 0)),
        (vec![email, ("Currency", Interrupt)], None, Some(SIGTERM), (0, 0, 0, 0)),
        (
            vec![email, currency, zone, bank, order, of_amounts, ("Right, y or n", Line("n"))],
            Some(0),
            None,
            (1, 0, 0, 0),
        ),
        // A file is left out after three answers that are none.
        (vec![bank, ("date_order", Line("")), unclear, unclear], Some(0), None, (1, 0, 0, 0)),
        (vec![bank, order, of_amounts, ("Right, y or n", Interrupt)], None, Some(SIGTERM), (1, 0, 0, 0)),
        (
            vec![
                bank,
                order,
                of_amounts,
                ("Right, y or n", Line("y")),
                ("new account", Line("")),
                (balance, Interrupt),
            ],
            None,
            Some(SIGTERM),
            (1, 1, 3, 1),
        ),
    ] {
        let (status, shown) = setup(&database, path, &replies);
        assert_eq!((status.code(), status.signal(), counts().await), (code, signal, expected), "{shown}");
    }
    let (status, shown) = setup(&database, path, &[(balance, Line("1596,50"))]);
    assert_eq!(status.code(), Some(0), "{shown}");
    assert!(shown.contains("My bank Account  1596.50  EUR "), "{shown}");
}
