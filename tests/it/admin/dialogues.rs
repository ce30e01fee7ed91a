//! The dialogues of `setup` on a pseudo-terminal: answers, the end of the input, and an interrupt. The transcript `setup` shows the
//! command without a terminal.

use std::fs::File;
use std::io::{Read as _, Write as _};
use std::os::unix::process::ExitStatusExt as _;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use nix::pty::openpty;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use tests::admin::{file, number};
use tests::database::Database;

/// A file of an unknown bank, whose days fit two orders.
const FILE: &str =
    "Date;Text;Amount\n01/02/2026;Coffee;-3,50\n05/03/2026;Rent;-900,00\n06/03/2026;Salary;2500,00\n";
/// Maximum time until a prompt is shown.
const WAIT_MAX: Duration = Duration::from_secs(60);
/// Maximum time until a terminal shows the rest. Another test may start a program at the same moment, which holds it open.
const REST_MAX: Duration = Duration::from_secs(1);
const SIGTERM: i32 = Signal::SIGTERM as i32;

/// An action of a person after a prompt.
#[derive(Clone, Copy)]
enum Reply {
    Line(&'static str),
    /// Ctrl-D.
    End,
    /// A signal, as Ctrl-C sends one. Not SIGINT, which a shell makes its background programs ignore.
    Interrupt,
}
use Reply::{End, Interrupt, Line};

/// Runs `setup` on a terminal. Returns its end and what it showed.
fn setup(database: &Database, folder: &str, replies: &[(&str, Reply)]) -> (ExitStatus, String) {
    let terminal = openpty(None, None).expect("a pseudo-terminal");
    let side = || Stdio::from(terminal.slave.try_clone().expect("a descriptor"));
    let mut child = Command::new(tests::binary("passbook-admin"))
        .args(["setup", folder])
        .env_clear()
        .envs([("HOME", folder), ("LC_ALL", "de_DE.UTF-8"), ("TZ", "Europe/Berlin")])
        .env("PASSBOOK_ADMIN_DATABASE_URL", database.url("passbook_writer"))
        .stdin(side())
        .stdout(side())
        .stderr(side())
        .spawn()
        .expect("the tool starts");
    drop(terminal.slave);
    let mut keyboard = File::from(terminal.master);
    let screen = screen(keyboard.try_clone().expect("a descriptor"));
    let mut shown = String::new();
    for (prompt, reply) in replies {
        let before = shown.len();
        while !shown[before..].contains(prompt) {
            let text = screen.recv_timeout(WAIT_MAX);
            shown += &text.unwrap_or_else(|_| panic!("{prompt} is not shown: {shown}"));
        }
        match reply {
            Line(text) => writeln!(keyboard, "{text}").expect("the terminal is open"),
            End => keyboard.write_all(b"\x04").expect("the terminal is open"),
            Interrupt => {
                let id = i32::try_from(child.id()).expect("an identifier of a process");
                kill(Pid::from_raw(id), Signal::SIGTERM).expect("the tool runs");
            }
        }
    }
    let status = child.wait().expect("the tool ends");
    while let Ok(text) = screen.recv_timeout(REST_MAX) {
        shown += &text;
    }
    (status, shown)
}

/// Reads what a terminal shows, until the last program closes it.
fn screen(mut terminal: File) -> Receiver<String> {
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        let mut bytes = [0; 4096];
        while let Ok(count @ 1..) = terminal.read(&mut bytes) {
            drop(sender.send(String::from_utf8_lossy(&bytes[..count]).into_owned()));
        }
    });
    receiver
}

#[tokio::test(flavor = "multi_thread")]
async fn dialogue_of_setup_stores_what_was_answered_and_nothing_if_it_ends_early() {
    let database = Database::fresh().await;
    let folder = tests::temporary::folder();
    file(folder.path(), "new.csv", FILE);
    let path = folder.path().to_str().expect("UTF-8");
    // The numbers of users, accounts and transactions.
    let counts = async || {
        let count =
            async |table: &str| number(&database, &format!("select count(*) from passbook.{table}")).await;
        (count("users").await, count("accounts").await, count("transactions").await)
    };
    let email = ("E-mail", Line("you@example.org"));
    let [currency, zone] = [("Currency", Line("")), ("Time zone", Line(""))];
    let bank = ("Name of the bank", Line("My bank"));
    let [order, of_amounts] = [("date_order", Line("dmy")), ("Currency of the amounts", Line("EUR"))];
    let balance = "Balance of My bank Account today";
    let nobody = [("E-mail", Line("nobody")), ("must be", Line("no one")), ("must be", Line(""))];
    // The code with which the program exits, or the signal that ends it. An import is stored as a whole before the next prompt.
    for (replies, code, signal, expected) in [
        (nobody.to_vec(), Some(64), None, (0, 0, 0)),
        (vec![email, ("Currency", End)], Some(64), None, (0, 0, 0)),
        (vec![email, ("Currency", Interrupt)], None, Some(SIGTERM), (0, 0, 0)),
        (
            vec![email, currency, zone, bank, order, of_amounts, ("Right, y or n", Line("n"))],
            Some(0),
            None,
            (1, 0, 0),
        ),
        (vec![bank, order, of_amounts, ("Right, y or n", Interrupt)], None, Some(SIGTERM), (1, 0, 0)),
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
            (1, 1, 3),
        ),
    ] {
        let (status, shown) = setup(&database, path, &replies);
        assert_eq!((status.code(), status.signal(), counts().await), (code, signal, expected), "{shown}");
    }
    let (status, shown) = setup(&database, path, &[(balance, Line("1596,50"))]);
    assert_eq!(status.code(), Some(0), "{shown}");
    assert!(shown.contains("My bank Account  1596.50  EUR "), "{shown}");
}
