//! The client against a server in this process, and against real ones.
#![cfg(unix)]

mod bot;
mod cache;
mod farm;
mod real;
mod server;
mod tls;

use std::time::Duration;

use rres_remote_execution::{Client, Config, Farm};
use server::Server;

fn config(server: &Server) -> Config {
    let mut config = Config::new(server.address());
    config.timeout = Duration::from_secs(2);
    config
}

fn client(server: &Server) -> Client {
    Client::open(&config(server)).unwrap()
}

fn farm(server: &Server) -> Farm {
    Farm::open(&config(server)).unwrap().patience(Duration::from_secs(20))
}

/// Bytes that look random, and are the same each time.
fn bytes(len: usize, seed: u64) -> Vec<u8> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let next = |_| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state as u8
    };
    (0..len).map(next).collect()
}
