//! The server program: its output, shutdown and exit codes, with the embedded database and with an external one. Also
//! runs the first command and the MCP example of the README.

mod cut_requests;
mod demo;
mod descriptors;
mod example_file;
mod lifecycle;
mod lifecycle_log;
mod mcp_example;
mod monitoring;
mod secrets;
mod settings;
mod sign_in;
mod sign_in_code;
mod start_errors;
mod start_page;
