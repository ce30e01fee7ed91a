//! `passbook-server`: reads the settings, runs the server, and returns the exit code.

use std::process::ExitCode;

use passbook_server::error::ServerError;
use passbook_server::metrics::Metrics;
use passbook_server::settings::{CommandLine, Settings};

/// A page of transactions allocates hundreds of texts. The allocator of the C library takes longer for them.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let command_line = match CommandLine::parse(std::env::args_os()) {
        Ok(command_line) => command_line,
        Err(help) => return help.print(),
    };
    match run(&command_line) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => error.report(),
    }
}

fn run(command_line: &CommandLine) -> Result<(), ServerError> {
    let sources = command_line.sources(std::env::vars_os());
    let settings = Settings::resolve(&sources, command_line.demo()).map_err(ServerError::Configuration)?;
    let metrics = Metrics::default();
    let collected = settings.metrics_listen.is_some().then_some(&metrics);
    let _log = passbook_server::logging::start(&settings.log, settings.log_format, collected)?;
    let threads = settings.worker_threads.get();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(threads).enable_all().build();
    let runtime = runtime.map_err(|source| ServerError::Internal(Box::new(source)))?;
    runtime.block_on(async {
        passbook_server::run(settings, metrics, passbook_server::listen::stop_signals()).await
    })
}
