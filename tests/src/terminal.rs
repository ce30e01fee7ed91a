//! Runs a program on a pseudo-terminal, with the answers of a person.

use std::fs::File;
use std::io::{Read as _, Write as _};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use nix::pty::openpty;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

/// Maximum time until a prompt is shown.
const WAIT_MAX: Duration = Duration::from_secs(60);
/// Maximum time until a terminal shows the rest. Another test may start a program at the same moment, which holds it open.
const REST_MAX: Duration = Duration::from_secs(1);

/// An action of a person after a prompt.
#[derive(Clone, Copy, Debug)]
pub enum Reply<'a> {
    Line(&'a str),
    /// Ctrl-D.
    End,
    /// A signal, as Ctrl-C sends one. Not SIGINT, which a shell makes its background programs ignore.
    Interrupt,
}

/// Runs a program on a terminal. Returns its end and what it showed.
pub fn run(mut command: Command, replies: &[(&str, Reply<'_>)]) -> (ExitStatus, String) {
    let terminal = openpty(None, None).expect("a pseudo-terminal");
    let side = || Stdio::from(terminal.slave.try_clone().expect("a descriptor"));
    let mut child = command.stdin(side()).stdout(side()).stderr(side()).spawn().expect("the program starts");
    // The command holds the terminal open.
    drop((command, terminal.slave));
    let mut keyboard = File::from(terminal.master);
    let screen = screen(keyboard.try_clone().expect("a descriptor"));
    let mut shown = String::new();
    let mut before = 0;
    for (prompt, reply) in replies {
        while !shown[before..].contains(prompt) {
            let text = screen.recv_timeout(WAIT_MAX);
            shown += &text.unwrap_or_else(|_| panic!("{prompt} is not shown: {shown}"));
        }
        before = shown.len();
        match reply {
            Reply::Line(text) => writeln!(keyboard, "{text}").expect("the terminal is open"),
            Reply::End => keyboard.write_all(b"\x04").expect("the terminal is open"),
            Reply::Interrupt => {
                let id = i32::try_from(child.id()).expect("an identifier of a process");
                kill(Pid::from_raw(id), Signal::SIGTERM).expect("the program runs");
            }
        }
    }
    let status = child.wait().expect("the program ends");
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
