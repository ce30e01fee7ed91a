//! The address of the client that sent a request.

use std::net::IpAddr;

/// The address of the client that sent a request. A host adds it to the extensions of each request
/// (`request.extensions_mut().insert(ClientAddress(address))`). The pipeline then limits the checks of tokens that were not
/// seen before: each address may cause 10 a second, and 50 at once. Without the extension there is no such limit.
///
/// The host decides which address counts: behind a reverse proxy the address that the proxy names, and for IPv6 the first
/// address of the /64 network, because a customer of a provider has a whole network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClientAddress(pub IpAddr);
