// A line of the module of a game whose pack keeps JPEG files.
mod assets {
    ::rres_runtime::__require_jpeg!("ui/photo.jpg and 1 more");
}

fn main() {}
