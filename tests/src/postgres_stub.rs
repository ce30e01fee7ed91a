//! A stand-in for a PostgreSQL server that answers every connection in the same way, for failures that a real server
//! shows only in rare states.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};

/// The code of an `SSLRequest` (PostgreSQL documentation, "Message Formats").
const TLS_REQUEST: [u8; 4] = 80_877_103_u32.to_be_bytes();

/// The answer to the start of a connection.
#[derive(Clone, Copy, Debug)]
pub enum Answer {
    /// An error response with SQLSTATE, message and the name of the server's function.
    Error(&'static str, &'static str, &'static str),
    /// The request of a password.
    PasswordRequest,
    /// The end of the connection.
    Closed,
    /// No answer. The connection stays open.
    Silence,
}

/// A listening stand-in. Its thread ends with the process.
#[derive(Debug)]
pub struct PostgresStub {
    address: SocketAddr,
}

impl PostgresStub {
    /// Starts a stand-in on a free port.
    pub fn start(answer: Answer) -> PostgresStub {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("an address");
        std::thread::spawn(move || {
            let mut silent = Vec::new();
            for stream in listener.incoming().flatten() {
                // A client that has gone is not an error of the stand-in.
                silent.extend(respond(stream, answer).ok().flatten());
            }
        });
        PostgresStub { address }
    }

    /// Returns the port.
    pub fn port(&self) -> u16 {
        self.address.port()
    }
}

/// Answers a connection. Returns the connection if it must stay open.
fn respond(mut stream: TcpStream, answer: Answer) -> std::io::Result<Option<TcpStream>> {
    if first_packet(&mut stream)? == TLS_REQUEST && !matches!(answer, Answer::Closed | Answer::Silence) {
        // The server has no TLS. The client goes on without it.
        stream.write_all(b"N")?;
        first_packet(&mut stream)?;
    }
    match answer {
        Answer::Error(code, message, routine) => {
            let mut fields = Vec::new();
            for (name, value) in
                [(b'S', "FATAL"), (b'V', "FATAL"), (b'C', code), (b'M', message), (b'R', routine)]
            {
                fields.push(name);
                fields.extend(value.as_bytes());
                fields.push(0);
            }
            fields.push(0);
            stream.write_all(&packet(b'E', &fields))?;
        }
        // Authentication method 3: the password as text.
        Answer::PasswordRequest => stream.write_all(&packet(b'R', &3_u32.to_be_bytes()))?,
        Answer::Closed => {}
        Answer::Silence => return Ok(Some(stream)),
    }
    // Closing a connection with unread input would reset it, and the client might lose the answer.
    stream.shutdown(std::net::Shutdown::Write)?;
    stream.read_to_end(&mut Vec::new())?;
    Ok(None)
}

/// Reads a packet without a type byte. Returns its content.
fn first_packet(stream: &mut TcpStream) -> std::io::Result<Vec<u8>> {
    let mut length = [0; 4];
    stream.read_exact(&mut length)?;
    let rest = u32::from_be_bytes(length).saturating_sub(4);
    let mut content = vec![0; usize::try_from(rest).expect("a short packet")];
    stream.read_exact(&mut content)?;
    Ok(content)
}

fn packet(kind: u8, content: &[u8]) -> Vec<u8> {
    let length = u32::try_from(content.len() + 4).expect("a short packet");
    [&[kind], &length.to_be_bytes()[..], content].concat()
}
