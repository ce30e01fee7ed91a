//! The lines on standard output, for people and scripts alike, once the port accepts connections.

/// What to say.
#[derive(Debug)]
pub struct Announcement<'a> {
    /// The public origin.
    pub origin: String,
    /// The demo user's token.
    pub token: Option<&'a str>,
}

impl Announcement<'_> {
    /// The base address.
    pub fn base_url(&self) -> String {
        format!("{}{}", self.origin, crate::mount::PREFIX)
    }

    /// The lines.
    pub fn lines(&self) -> Vec<String> {
        let base = self.base_url();
        let mut lines = vec![
            format!("passbook {}", env!("CARGO_PKG_VERSION")),
            format!("base    {base}"),
            format!("mcp     {base}/mcp"),
        ];
        if let Some(token) = self.token {
            lines.push(format!("token   {token}"));
            lines.push(format!(
                "try     curl -H 'Authorization: Bearer {token}' '{base}/v1/cashflow/summary?timeRange=1m'"
            ));
        }
        lines
    }

    /// Prints them.
    #[expect(clippy::print_stdout, reason = "these lines are what standard output is for")]
    pub fn print(&self) {
        for line in self.lines() {
            println!("{line}");
        }
    }
}
