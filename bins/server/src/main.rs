//! Reads the settings, runs the server, and turns the outcome into an exit code.

use std::process::ExitCode;

use server::outcome::Stop;
use server::settings::{Invocation, Settings, Sources};

fn main() -> ExitCode {
    let invocation = match Invocation::parse(std::env::args_os()) {
        Ok(invocation) => invocation,
        Err(help) => return help.print_and_code(),
    };
    let sources = Sources::gather(&invocation, std::env::vars_os());
    let settings = match Settings::resolve(sources) {
        Ok(settings) => settings,
        Err(problems) => return Stop::Configuration(problems).report(),
    };
    server::logging::start(&settings.log, settings.log_format);
    let runtime = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(source) => return Stop::Internal(Box::new(source)).report(),
    };
    match runtime.block_on(async { server::run(settings, server::listen::terminated()).await }) {
        Ok(()) => ExitCode::SUCCESS,
        Err(stop) => stop.report(),
    }
}
