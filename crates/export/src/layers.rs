//! Images that are several pictures, in words.

use rres_runtime::Image;
use rres_runtime::asset::ImageShape;

/// What a conversion says of an image that is several pictures.
pub(crate) fn of_layers(image: &Image) -> String {
    match image.shape() {
        ImageShape::Array(layers) => format!(", {layers} layers"),
        ImageShape::Volume(slices) => format!(", {slices} slices"),
        ImageShape::Cube => ", six faces".to_owned(),
        _ => String::new(),
    }
}
