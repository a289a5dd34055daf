//! Encrypted connections.
