//! The lines that the server prints to standard output once its port accepts connections.

/// The values of the printed lines.
#[derive(Debug)]
pub struct Announcement<'a> {
    /// The public origin.
    pub origin: String,
    /// The demo user's token, if the demo household is served.
    pub token: Option<&'a str>,
}

impl Announcement<'_> {
    /// Returns the public base address.
    pub fn base_url(&self) -> String {
        format!("{}{}", self.origin, crate::mount::PREFIX)
    }

    /// Returns the printed lines in order. Scripts read them.
    pub fn lines(&self) -> Vec<String> {
        let base = self.base_url();
        let mut lines = vec![
            format!("passbook {}", env!("CARGO_PKG_VERSION")),
            format!("base    {base}"),
            format!("mcp     {base}{}", mcp::PATH),
        ];
        if let Some(token) = self.token {
            lines.push(format!("token   {token}"));
            lines.push(format!(
                "try     curl -H 'Authorization: Bearer {token}' '{base}/v1/cashflow/summary?timeRange=1m'"
            ));
        }
        lines
    }

    /// Prints the lines.
    #[expect(clippy::print_stdout, reason = "scripts read these lines from standard output")]
    pub fn print(&self) {
        for line in self.lines() {
            println!("{line}");
        }
    }
}
