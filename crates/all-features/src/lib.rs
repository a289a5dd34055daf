//! Nothing. A crate that depends on this one gets `rres-build`, `rres-runtime` and their dependencies with all the features that any
//! program of the workspace uses. Cargo compiles a crate once for each set of features, so the workspace's programs, their build scripts
//! and the crates that tests build depend on it, and nothing is compiled twice.
