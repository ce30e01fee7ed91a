//! The settings of one of several hosts.

use tokio_postgres::Config;
use tokio_postgres::config::{Host, SslMode};

/// Returns the settings of one host. The driver's settings cannot forget a host, so all others are copied.
pub(super) fn one_host(config: &Config, number: usize) -> Config {
    let mut one = Config::new();
    match &config.get_hosts()[number] {
        Host::Tcp(name) => one.host(name).ssl_mode(config.get_ssl_mode()),
        Host::Unix(folder) => one.host_path(folder).ssl_mode(SslMode::Disable),
    };
    one.ssl_negotiation(config.get_ssl_negotiation()).channel_binding(config.get_channel_binding());
    one.keepalives(config.get_keepalives()).keepalives_idle(config.get_keepalives_idle());
    if let Some(address) = config.get_hostaddrs().get(number) {
        one.hostaddr(*address);
    }
    if let Some(port) = config.get_ports().get(number).or(config.get_ports().first()) {
        one.port(*port);
    }
    if let Some(user) = config.get_user() {
        one.user(user);
    }
    if let Some(password) = config.get_password() {
        one.password(password);
    }
    if let Some(database) = config.get_dbname() {
        one.dbname(database);
    }
    if let Some(options) = config.get_options() {
        one.options(options);
    }
    if let Some(name) = config.get_application_name() {
        one.application_name(name);
    }
    if let Some(timeout) = config.get_connect_timeout() {
        one.connect_timeout(*timeout);
    }
    if let Some(timeout) = config.get_tcp_user_timeout() {
        one.tcp_user_timeout(*timeout);
    }
    if let Some(interval) = config.get_keepalives_interval() {
        one.keepalives_interval(interval);
    }
    if let Some(retries) = config.get_keepalives_retries() {
        one.keepalives_retries(retries);
    }
    one
}
