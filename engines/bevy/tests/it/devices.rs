//! Images that a graphics card does not take: Bevy would quit the app.

use bevy_app::{App, Plugin, TaskPoolPlugin};
use bevy_asset::{AssetApp, AssetPlugin, Handle, LoadState};
use bevy_image::{CompressedImageFormatSupport, CompressedImageFormats, Image};
use rres_bevy::RresPlugin;
use rres_format::chunk::image::{ImageProps, PixelFormat};
use rres_format::{FourCc, Resource};
use rres_runtime::{Id, Store};

use super::{app, chunk, image, loaded, pack, wait, with};

/// Knows the device when it is finished, as Bevy's renderer.
struct Renderer(CompressedImageFormats);

impl Plugin for Renderer {
    fn build(&self, _: &mut App) {}

    fn finish(&self, app: &mut App) {
        app.insert_resource(CompressedImageFormatSupport(self.0));
    }
}

fn on(formats: CompressedImageFormats, store: Store) -> App {
    let mut app = App::new();
    app.add_plugins((RresPlugin::new(store), TaskPoolPlugin::default(), AssetPlugin::default(), Renderer(formats)));
    app.init_asset::<Image>();
    app.finish();
    app.cleanup();
    app
}

fn load(app: &mut App, path: &str) -> Handle<Image> {
    with(app, |rres| rres.load(Id::<rres_runtime::Image>::from_path(path)))
}

fn failed(app: &mut App, path: &str) -> String {
    let handle = load(app, path);
    let LoadState::Failed(error) = wait(app, handle.id()) else { panic!("{path} is loaded") };
    error.to_string()
}

#[test]
fn blocks_that_the_graphics_card_lacks_fail() {
    let images = || vec![image("rock.dds", PixelFormat::BC7, 1), image("button.png", PixelFormat::RGBA8, 1)];
    let store = || Store::from_packs([pack(images())]);
    let mut phone = on(CompressedImageFormats::ETC2, store());
    let said = failed(&mut phone, "rock.dds");
    assert!(said.contains("no Bc7RgbaUnormSrgb") && said.contains("\"rgba8\""), "{said}");
    let button = load(&mut phone, "button.png");
    loaded(&mut phone, &button);
    let mut computer = on(CompressedImageFormats::BC, store());
    let rock = load(&mut computer, "rock.dds");
    loaded(&mut computer, &rock);
}

#[test]
fn parts_of_blocks_fail() {
    let props = ImageProps { width: 6, height: 4, format: PixelFormat::BC7, mipmaps: 1 };
    let rock = Resource::new("rock.dds", vec![chunk(FourCc::IMGE, &props.block(&[0; 32]))]);
    let said = failed(&mut app(&Store::from_packs([pack(vec![rock])])), "rock.dds");
    assert!(said.contains("6 × 4 pixels") && said.contains("4 × 4") && said.contains("image.pad"), "{said}");
}
