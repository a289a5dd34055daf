//! Imports the assets of the examples.

fn main() {
    use rres_build::settings::CollisionKind;

    rres_build::import("../../examples/assets")
        .rule("models/door.gltf", |rule| rule.model_collision(CollisionKind::Hull))
        .build_or_exit();
}
