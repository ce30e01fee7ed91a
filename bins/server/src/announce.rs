//! The lines that the server prints to standard output once its port accepts connections.

/// The values of the printed lines.
#[derive(Debug)]
pub struct Announcement<'a> {
    /// The public origin.
    pub origin: String,
    /// The address of the metrics; `None` if the server serves none.
    pub metrics: Option<String>,
    /// The demo user's token, if the demo household is served.
    pub token: Option<&'a str>,
    /// The dashboard, if it is served.
    pub page: Option<Page>,
}

/// The dashboard in the printed lines.
#[derive(Clone, Debug, Default)]
pub struct Page {
    /// The code with which the demo user signs in, if the demo household is served.
    pub code: Option<String>,
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
            format!("mcp     {base}{}", passbook_mcp::PATH),
        ];
        if let Some(Page { code }) = &self.page {
            // Browsers send no fragment, so the code is in no log of a server or proxy.
            let fragment = code.as_ref().map(|code| format!("#code={code}")).unwrap_or_default();
            lines.push(format!("page    {}/{fragment}", self.origin));
        }
        lines.extend(self.metrics.as_ref().map(|address| format!("metrics {address}")));
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
