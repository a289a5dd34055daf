//! Packs that are not a file of this computer: in a browser, on a server, inside another file.
//!
//! A [`ByteSource`] reads ranges of a pack. Its front index is fetched when the pack is opened, and a group when it is loaded.
//!
//! | file | |
//! |---|---|
//! | `byte_source.rs` | the interface of sources, and how they answer |
//! | `at_hand.rs` | sources whose bytes are here: memory, files, parts of files |
//! | `opening.rs` | reading the front of a pack |
//! | `parts.rs` | the parts of a pack that are here, and who waits for others |
//! | `segments.rs` | the bytes of those parts |
//! | `queue.rs` | which ranges are read next |
//! | `receiver.rs` | the answer to one request |

mod at_hand;
mod byte_source;
mod opening;
mod parts;
mod queue;
mod receiver;
mod segments;

pub use at_hand::FilePart;
pub use byte_source::{ByteSource, Contents, Reply};
pub use opening::{OpeningPack, front_len};
