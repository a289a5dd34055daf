//! The page: one HTML file that needs nothing else. It asks for `/state.json`, and shows what has changed.

use crate::response::Response;

const PAGE: &str = include_str!("page/page.html");

const STYLE: &str = include_str!("page/style.css");

/// The scripts in the order of their execution. Each uses the scripts before it.
const SCRIPTS: [&str; 6] = [
    include_str!("page/basics.js"),
    include_str!("page/table.js"),
    include_str!("page/waterfall.js"),
    include_str!("page/events.js"),
    include_str!("page/detail.js"),
    include_str!("page/main.js"),
];

/// The page, made once.
pub(crate) struct Page {
    html: String,
    policy: String,
}

impl Page {
    /// Makes the page. Only what has the nonce is executed: names and other texts of the program become text nodes, and are not in the page
    /// when it arrives.
    pub(crate) fn new(nonce: &str) -> Self {
        let scripts = format!("(() => {{\n'use strict';\n{}}})();", SCRIPTS.join("\n"));
        let mut html = String::with_capacity(PAGE.len() + STYLE.len() + scripts.len());
        let mut rest = PAGE;
        while let Some((before, (name, after))) =
            rest.split_once("{{").and_then(|(before, rest)| Some((before, rest.split_once("}}")?)))
        {
            html += before;
            html += match name {
                "nonce" => nonce,
                "version" => env!("CARGO_PKG_VERSION"),
                "style" => STYLE,
                _ => &scripts,
            };
            rest = after;
        }
        html += rest;
        let policy = format!(
            "default-src 'none'; script-src 'nonce-{nonce}'; style-src 'nonce-{nonce}'; connect-src 'self'; base-uri 'none'; \
             form-action 'none'; frame-ancestors 'none'"
        );
        Self { html, policy }
    }

    pub(crate) fn response(&self) -> Response {
        Response::html(self.html.clone(), &self.policy)
    }
}
