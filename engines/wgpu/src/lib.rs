//! Textures, samplers and meshes of rres packs for [wgpu].
//!
//! | asset | becomes | by |
//! |---|---|---|
//! | [`Image`](rres_runtime::Image) | [`wgpu::Texture`] with all mip levels; blocks for GPUs stay blocks; cubemaps, arrays and 3D textures | [`texture()`] |
//! | its filter and wrap | [`wgpu::Sampler`] | [`sampler`] |
//! | [`Primitive`](rres_runtime::asset::model::Primitive) of a model | vertices in one buffer with the attributes that a shader takes, and indices | [`Mesh`] |
//!
//! To make them again when an asset changes, keep them in a [`rres_runtime::Live`]:
//!
//! ```
//! use rres_runtime::{Error, Id, Image, Live, Store};
//! use rres_wgpu::TextureError;
//!
//! fn button(store: &Store, id: Id<Image>, device: wgpu::Device, queue: wgpu::Queue) -> Result<Live<Image, wgpu::Texture, TextureError>, Error> {
//!     Ok(Live::new(&store.load(id)?, move |image| rres_wgpu::texture(&device, &queue, image)))
//! }
//! ```

mod format;
mod mesh;
mod texture;

pub use format::texture_format;
pub use mesh::{Mesh, topology};
pub use texture::{TextureError, sampler, texture};
