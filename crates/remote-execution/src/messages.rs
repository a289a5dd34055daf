//! The messages of the Remote Execution API 2 and of the two services of Google that it uses, as far as this crate sends or reads them.
//!
//! Names and numbers are those of the definitions `build/bazel/remote/execution/v2`, `google/bytestream`, `google/longrunning` and `google/rpc`. Fields that
//! are not here are passed over when a message is read.

use prost::Message;
use prost::bytes::Bytes;

/// The number of SHA-256 among the functions of digests.
pub const SHA256: i32 = 1;

#[derive(Clone, PartialEq, Message)]
pub struct Digest {
    #[prost(string, tag = "1")]
    pub hash: String,
    #[prost(int64, tag = "2")]
    pub size_bytes: i64,
}

/// A name and a value: a variable of the environment, or a property of a platform.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Message)]
pub struct Pair {
    #[prost(string, tag = "1")]
    pub name: String,
    #[prost(string, tag = "2")]
    pub value: String,
}

#[derive(Clone, PartialEq, Message)]
pub struct Platform {
    #[prost(message, repeated, tag = "1")]
    pub properties: Vec<Pair>,
}

#[derive(Clone, Copy, PartialEq, Message)]
pub struct Duration {
    #[prost(int64, tag = "1")]
    pub seconds: i64,
    #[prost(int32, tag = "2")]
    pub nanos: i32,
}

#[derive(Clone, PartialEq, Message)]
pub struct Action {
    #[prost(message, optional, tag = "1")]
    pub command_digest: Option<Digest>,
    #[prost(message, optional, tag = "2")]
    pub input_root_digest: Option<Digest>,
    #[prost(message, optional, tag = "6")]
    pub timeout: Option<Duration>,
    #[prost(message, optional, tag = "10")]
    pub platform: Option<Platform>,
}

#[derive(Clone, PartialEq, Message)]
pub struct Command {
    #[prost(string, repeated, tag = "1")]
    pub arguments: Vec<String>,
    #[prost(message, repeated, tag = "2")]
    pub environment_variables: Vec<Pair>,
    /// What servers before version 2.1 read instead of `output_paths`.
    #[prost(string, repeated, tag = "4")]
    pub output_directories: Vec<String>,
    /// What servers before version 2.2 read instead of the platform of the action.
    #[prost(message, optional, tag = "5")]
    pub platform: Option<Platform>,
    #[prost(string, repeated, tag = "7")]
    pub output_paths: Vec<String>,
}

#[derive(Clone, PartialEq, Message)]
pub struct Directory {
    #[prost(message, repeated, tag = "1")]
    pub files: Vec<FileNode>,
    #[prost(message, repeated, tag = "2")]
    pub directories: Vec<DirectoryNode>,
    #[prost(message, repeated, tag = "3")]
    pub symlinks: Vec<SymlinkNode>,
}

#[derive(Clone, PartialEq, Message)]
pub struct FileNode {
    #[prost(string, tag = "1")]
    pub name: String,
    #[prost(message, optional, tag = "2")]
    pub digest: Option<Digest>,
    #[prost(bool, tag = "4")]
    pub is_executable: bool,
}

#[derive(Clone, PartialEq, Message)]
pub struct DirectoryNode {
    #[prost(string, tag = "1")]
    pub name: String,
    #[prost(message, optional, tag = "2")]
    pub digest: Option<Digest>,
}

#[derive(Clone, PartialEq, Message)]
pub struct SymlinkNode {
    #[prost(string, tag = "1")]
    pub name: String,
    #[prost(string, tag = "2")]
    pub target: String,
}

/// A message `Tree`. Its directories stay encoded: their digests are those of the bytes that the server has.
#[derive(Clone, PartialEq, Message)]
pub struct Tree {
    #[prost(bytes = "bytes", tag = "1")]
    pub root: Bytes,
    #[prost(bytes = "bytes", repeated, tag = "2")]
    pub children: Vec<Bytes>,
}

#[derive(Clone, PartialEq, Message)]
pub struct ActionResult {
    #[prost(message, repeated, tag = "2")]
    pub output_files: Vec<OutputFile>,
    #[prost(message, repeated, tag = "3")]
    pub output_directories: Vec<OutputDirectory>,
    #[prost(int32, tag = "4")]
    pub exit_code: i32,
    #[prost(bytes = "bytes", tag = "7")]
    pub stderr_raw: Bytes,
    #[prost(message, optional, tag = "8")]
    pub stderr_digest: Option<Digest>,
}

#[derive(Clone, PartialEq, Message)]
pub struct OutputFile {
    #[prost(string, tag = "1")]
    pub path: String,
    #[prost(message, optional, tag = "2")]
    pub digest: Option<Digest>,
    #[prost(bool, tag = "4")]
    pub is_executable: bool,
}

#[derive(Clone, PartialEq, Message)]
pub struct OutputDirectory {
    #[prost(string, tag = "1")]
    pub path: String,
    #[prost(message, optional, tag = "3")]
    pub tree_digest: Option<Digest>,
}

#[derive(Clone, PartialEq, Message)]
pub struct GetCapabilitiesRequest {
    #[prost(string, tag = "1")]
    pub instance_name: String,
}

#[derive(Clone, PartialEq, Message)]
pub struct ServerCapabilities {
    #[prost(message, optional, tag = "1")]
    pub cache_capabilities: Option<CacheCapabilities>,
    #[prost(message, optional, tag = "2")]
    pub execution_capabilities: Option<ExecutionCapabilities>,
    #[prost(message, optional, tag = "5")]
    pub high_api_version: Option<SemVer>,
}

#[derive(Clone, PartialEq, Message)]
pub struct SemVer {
    #[prost(int32, tag = "1")]
    pub major: i32,
    #[prost(int32, tag = "2")]
    pub minor: i32,
}

#[derive(Clone, PartialEq, Message)]
pub struct CacheCapabilities {
    #[prost(int32, repeated, tag = "1")]
    pub digest_functions: Vec<i32>,
    #[prost(message, optional, tag = "2")]
    pub action_cache_update_capabilities: Option<Enabled>,
    #[prost(int64, tag = "4")]
    pub max_batch_total_size_bytes: i64,
}

/// A message `ActionCacheUpdateCapabilities`.
#[derive(Clone, Copy, PartialEq, Message)]
pub struct Enabled {
    #[prost(bool, tag = "1")]
    pub update_enabled: bool,
}

#[derive(Clone, PartialEq, Message)]
pub struct ExecutionCapabilities {
    #[prost(int32, tag = "1")]
    pub digest_function: i32,
    #[prost(bool, tag = "2")]
    pub exec_enabled: bool,
    #[prost(int32, repeated, tag = "5")]
    pub digest_functions: Vec<i32>,
}

#[derive(Clone, PartialEq, Message)]
pub struct FindMissingBlobsRequest {
    #[prost(string, tag = "1")]
    pub instance_name: String,
    #[prost(message, repeated, tag = "2")]
    pub blob_digests: Vec<Digest>,
}

#[derive(Clone, PartialEq, Message)]
pub struct FindMissingBlobsResponse {
    #[prost(message, repeated, tag = "2")]
    pub missing_blob_digests: Vec<Digest>,
}

#[derive(Clone, PartialEq, Message)]
pub struct BatchUpdateBlobsRequest {
    #[prost(string, tag = "1")]
    pub instance_name: String,
    #[prost(message, repeated, tag = "2")]
    pub requests: Vec<BlobUpdate>,
}

#[derive(Clone, PartialEq, Message)]
pub struct BlobUpdate {
    #[prost(message, optional, tag = "1")]
    pub digest: Option<Digest>,
    #[prost(bytes = "bytes", tag = "2")]
    pub data: Bytes,
}

#[derive(Clone, PartialEq, Message)]
pub struct BatchUpdateBlobsResponse {
    #[prost(message, repeated, tag = "1")]
    pub responses: Vec<BlobUpdated>,
}

#[derive(Clone, PartialEq, Message)]
pub struct BlobUpdated {
    #[prost(message, optional, tag = "1")]
    pub digest: Option<Digest>,
    #[prost(message, optional, tag = "2")]
    pub status: Option<Status>,
}

#[derive(Clone, PartialEq, Message)]
pub struct BatchReadBlobsRequest {
    #[prost(string, tag = "1")]
    pub instance_name: String,
    #[prost(message, repeated, tag = "2")]
    pub digests: Vec<Digest>,
}

#[derive(Clone, PartialEq, Message)]
pub struct BatchReadBlobsResponse {
    #[prost(message, repeated, tag = "1")]
    pub responses: Vec<BlobRead>,
}

#[derive(Clone, PartialEq, Message)]
pub struct BlobRead {
    #[prost(message, optional, tag = "1")]
    pub digest: Option<Digest>,
    #[prost(bytes = "bytes", tag = "2")]
    pub data: Bytes,
    #[prost(message, optional, tag = "3")]
    pub status: Option<Status>,
}

#[derive(Clone, PartialEq, Message)]
pub struct GetActionResultRequest {
    #[prost(string, tag = "1")]
    pub instance_name: String,
    #[prost(message, optional, tag = "2")]
    pub action_digest: Option<Digest>,
}

#[derive(Clone, PartialEq, Message)]
pub struct UpdateActionResultRequest {
    #[prost(string, tag = "1")]
    pub instance_name: String,
    #[prost(message, optional, tag = "2")]
    pub action_digest: Option<Digest>,
    #[prost(message, optional, tag = "3")]
    pub action_result: Option<ActionResult>,
}

#[derive(Clone, PartialEq, Message)]
pub struct ExecuteRequest {
    #[prost(string, tag = "1")]
    pub instance_name: String,
    #[prost(bool, tag = "3")]
    pub skip_cache_lookup: bool,
    #[prost(message, optional, tag = "6")]
    pub action_digest: Option<Digest>,
}

#[derive(Clone, PartialEq, Message)]
pub struct WaitExecutionRequest {
    #[prost(string, tag = "1")]
    pub name: String,
}

#[derive(Clone, PartialEq, Message)]
pub struct ExecuteResponse {
    #[prost(message, optional, tag = "1")]
    pub result: Option<ActionResult>,
    #[prost(bool, tag = "2")]
    pub cached_result: bool,
    #[prost(message, optional, tag = "3")]
    pub status: Option<Status>,
    #[prost(string, tag = "5")]
    pub message: String,
}

#[derive(Clone, PartialEq, Message)]
pub struct Operation {
    #[prost(string, tag = "1")]
    pub name: String,
    #[prost(bool, tag = "3")]
    pub done: bool,
    #[prost(message, optional, tag = "4")]
    pub error: Option<Status>,
    #[prost(message, optional, tag = "5")]
    pub response: Option<Any>,
}

#[derive(Clone, PartialEq, Message)]
pub struct Any {
    #[prost(string, tag = "1")]
    pub type_url: String,
    #[prost(bytes = "bytes", tag = "2")]
    pub value: Bytes,
}

#[derive(Clone, PartialEq, Message)]
pub struct Status {
    #[prost(int32, tag = "1")]
    pub code: i32,
    #[prost(string, tag = "2")]
    pub message: String,
}

#[derive(Clone, PartialEq, Message)]
pub struct ReadRequest {
    #[prost(string, tag = "1")]
    pub resource_name: String,
    #[prost(int64, tag = "2")]
    pub read_offset: i64,
    #[prost(int64, tag = "3")]
    pub read_limit: i64,
}

#[derive(Clone, PartialEq, Message)]
pub struct ReadResponse {
    #[prost(bytes = "bytes", tag = "10")]
    pub data: Bytes,
}

#[derive(Clone, PartialEq, Message)]
pub struct WriteRequest {
    #[prost(string, tag = "1")]
    pub resource_name: String,
    #[prost(int64, tag = "2")]
    pub write_offset: i64,
    #[prost(bool, tag = "3")]
    pub finish_write: bool,
    #[prost(bytes = "bytes", tag = "10")]
    pub data: Bytes,
}

#[derive(Clone, Copy, PartialEq, Message)]
pub struct WriteResponse {
    #[prost(int64, tag = "1")]
    pub committed_size: i64,
}

/// Who asks, for the logs of a farm.
#[derive(Clone, PartialEq, Message)]
pub struct RequestMetadata {
    #[prost(message, optional, tag = "1")]
    pub tool_details: Option<ToolDetails>,
}

#[derive(Clone, PartialEq, Message)]
pub struct ToolDetails {
    #[prost(string, tag = "1")]
    pub tool_name: String,
    #[prost(string, tag = "2")]
    pub tool_version: String,
}
