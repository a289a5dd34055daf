#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod actions;
mod blobs;
mod calls;
mod client;
mod config;
mod digest;
mod farm;
mod fault;
mod job;
mod messages;
mod tree;

pub use client::{Client, Part};
pub use config::Config;
pub use digest::Digest;
pub use farm::Farm;
pub use job::{Contents, Input, Job, JobFailed, Outputs};
