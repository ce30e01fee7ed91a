//! The server program: its output, shutdown and exit codes, with the embedded database and with an external one. Also
//! runs the first command and the MCP example of the README.

mod demo;
mod lifecycle;
mod monitoring;
mod settings;
