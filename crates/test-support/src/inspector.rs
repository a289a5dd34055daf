//! The inspector of a program that a test has started with `RRES_INSPECT=1`.

use std::io::{BufRead as _, BufReader, Read, Write as _};
use std::net::TcpStream;

/// Where the inspector is.
#[derive(Debug)]
pub struct Inspector {
    /// The address that the program has printed, with the token.
    pub url: String,
    address: String,
    token: String,
}

impl Inspector {
    /// Reads what the program prints to standard error until it prints the address. The rest is read on another thread, so that the program does
    /// not wait for a reader.
    ///
    /// # Panics
    ///
    /// If the program ends before that.
    pub fn of(stderr: impl Read + Send + 'static) -> Self {
        let mut lines = BufReader::new(stderr).lines().map_while(Result::ok);
        let mut before = Vec::new();
        let url = loop {
            let line = lines.next().unwrap_or_else(|| panic!("no address was printed: {before:#?}"));
            match line.split_once("the inspector is at ") {
                Some((_, url)) => break url.to_owned(),
                None => before.push(line),
            }
        };
        std::thread::spawn(move || lines.for_each(drop));
        let (address, token) = url.strip_prefix("http://").and_then(|rest| rest.split_once("/?token=")).unwrap();
        Self { address: address.to_owned(), token: token.to_owned(), url: url.clone() }
    }

    /// Returns the state of the program, as JSON.
    pub fn state(&self) -> String {
        let (status, body) = self.ask("GET /state.json");
        assert_eq!(status, 200, "{body}");
        body
    }

    /// Sends a request with the token, such as `POST /reload?store=0&id=0x1`; returns the status and the body.
    pub fn ask(&self, line: &str) -> (u16, String) {
        let Self { address, token, .. } = self;
        let mut stream = TcpStream::connect(address).unwrap();
        write!(stream, "{line} HTTP/1.1\r\nHost: {address}\r\nX-Rres-Token: {token}\r\n\r\n").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        (head.split(' ').nth(1).unwrap().parse().unwrap(), body.to_owned())
    }
}
