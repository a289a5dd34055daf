//! The settings of images, one row each; [`super::table`] explains the rows.

/// Settings of images, and of the images inside models.
macro_rules! image_settings {
    ($with:ident $($arg:tt)*) => {
        $with! {
            $($arg)*
            /// Settings of images, and of the images inside models.
            [ImageSettings ImageValues IMAGE_ROWS image]

            /// The format of the stored pixels; "keep" keeps depth and alpha of the source, "gpu" makes of it the nearest
            /// format that every GPU takes: three channels become four, and fewer than 8 bits become 8. "bc1" to "bc7" are blocks for
            /// the GPUs of PCs and consoles, and "block" chooses one of them. "etc2" to "astc_8x8" are blocks for the GPUs of phones;
            /// "block_etc2" chooses one of ETC2 and EAC, "block_astc" one of ASTC. Blocks need the feature `gpu` of rres-build. See gpu-formats.md.
            format: ImageFormat as image_format(impl Into<ImageFormat>, same) "image.format" = ImageFormat::Keep, "\"keep\"",
                OneOf::<ImageFormat>::ANY, Import;

            /// The least quality of blocks in decibels (PSNR); below it the pixels stay uncompressed.
            min_psnr: Option<f32> as image_min_psnr(f32, some) "image.min_psnr" = None, "36 with \"block\", otherwise none",
                Given(Number(0.0..=98.0, "decibels")), Import;

            /// The least quality of blocks as structural similarity (SSIM), which is 1 for equal pictures; below it the pixels stay
            /// uncompressed.
            min_ssim: Option<f32> as image_min_ssim(f32, some) "image.min_ssim" = None, "none",
                Given(Number(0.0..=1.0, "")), Import;

            /// How long the encoder searches for the best blocks: "best" takes 3 to 7 times as long for "bc7" and ASTC, about 10 times for
            /// "bc6h" and ETC2, and changes nothing for other formats.
            effort: BlockEffort as image_effort(BlockEffort, same) "image.effort" = BlockEffort::Fast, "\"fast\"",
                OneOf::<BlockEffort>::ANY, Import;

            /// How much quality blocks may lose to compress better: 1 saves about a third of "bc7", 20 of "bc1". 0 means none, and is
            /// several times as fast.
            rdo: f32 as image_rdo(f32, same) "image.rdo" = 0.0, "0",
                Number(0.0..=100.0, ""), Import;

            /// Pixels ready to upload ("pixels"), or the bytes of the file ("source"), which the game decodes with the feature
            /// "jpeg" of rres-runtime. "auto" keeps a JPEG if it is smaller than its stored pixels and no setting changes
            /// those, and stores the pixels of all others.
            store: ImageStorage as image_store(ImageStorage, same) "image.store" = ImageStorage::Auto, "\"auto\"",
                OneOf::<ImageStorage>::ANY, Import;

            /// Store mip levels: smaller copies, down to one pixel.
            mipmaps: bool as image_mipmaps(bool, same) "image.mipmaps" = false, "false",
                Flag, Import;

            /// Multiply colours by alpha; needs a format with alpha.
            premultiply: bool as image_premultiply(bool, same) "image.premultiply" = false, "false",
                Flag, Import;

            /// How the image is sampled between pixels. Inside a model the default comes from the model's sampler.
            filter: Option<Filter> as image_filter(Filter, some) "image.filter" = None, "\"linear\"",
                Given(OneOf::<Filter>::ANY), Import;

            /// How the image is sampled outside its edges. Inside a model the default comes from the model's sampler.
            wrap: Option<Wrap> as image_wrap(Wrap, some) "image.wrap" = None, "\"clamp\"",
                Given(OneOf::<Wrap>::ANY), Import;

            /// Whether the numbers are colours ("srgb") or quantities such as normals and masks ("linear"). Inside a model
            /// the default follows from the use of the image.
            color_space: Option<ColorSpace> as image_color_space(ColorSpace, some) "image.color_space" = None, "\"srgb\"",
                Given(OneOf::<ColorSpace>::ANY), Import;

            /// Whether colours with another profile, gamma or CICP code than that of sRGB are converted to sRGB ("apply"), or their numbers are
            /// stored as they are ("ignore"). Pictures with `image.color_space` = "linear" and textures of glTF are never converted.
            color_profile: ColorProfile as image_color_profile(ColorProfile, same) "image.color_profile" = ColorProfile::Apply, "\"apply\"",
                OneOf::<ColorProfile>::ANY, Import;

            /// The picture holds directions instead of colours: averages of them get the length 1 again, and the colour space is
            /// "linear". Inside a model the default follows from the use of the image.
            normal_map: Option<bool> as image_normal_map(bool, some) "image.normal_map" = None, "false",
                Given(Flag), Import;

            /// The pixels of this colour become transparent black. A format without alpha becomes the one with it.
            color_key: Option<[u8; 3]> as image_color_key(impl Into<OrNone<[u8; 3]>>, or_none) "image.color_key" = None, "false",
                OrFalse(Color), Import;

            /// Scale the image by this factor, for example to half with 0.5. With the filter "nearest" pixels are copied; otherwise
            /// they are averaged by a bicubic filter, colours as light and weighted with alpha.
            scale: f32 as image_scale(f32, same) "image.scale" = 1.0, "1",
                Number(1.0 / 1024.0..=64.0, "times"), Import;

            /// Scale the image down until neither edge has more pixels than this. Smaller images stay as they are.
            fit: Option<u32> as image_fit(u32, some) "image.fit" = None, "no scaling",
                Given(Integer(1..=MAX_LIMIT)), Import;

            /// Give invisible pixels the colour of the visible ones around them, so that no dark fringe appears where a GPU blends
            /// both.
            alpha_bleed: bool as image_alpha_bleed(bool, same) "image.alpha_bleed" = false, "false",
                Flag, Import;

            /// Repeat the last column and row until both edges are powers of two ("pow2") or multiples of 4 ("block"). The game
            /// asks `Image::content_size` for the size of the picture. Not for images inside models.
            pad: ImagePadding as image_pad(ImagePadding, same) "image.pad" = ImagePadding::None, "\"none\"",
                OneOf::<ImagePadding>::ANY, Import;

            /// The pictures of an animated GIF, PNG, WebP or Aseprite file that are stored: the first one, or all side by side in one
            /// image ("all"). `Image::frames` tells where each is and how long it is shown.
            frames: ImageFrames as image_frames(ImageFrames, same) "image.frames" = ImageFrames::First, "\"first\"",
                OneOf::<ImageFrames>::ANY, Import;

            /// The image is a sheet of pictures of this size, in rows. `Image::frames` has one frame for each.
            grid: Option<(u32, u32)> as image_grid((u32, u32), some) "image.grid" = None, "none",
                Given(PixelSize(1..=16_384)), Import;

            /// The image is a sheet of pictures of this size, in rows, which become the layers of a texture array: `Image::layer` is one of
            /// them. Each has mip levels of its own.
            layers: Option<(u32, u32)> as image_layers((u32, u32), some) "image.layers" = None, "none",
                Given(PixelSize(1..=16_384)), Import;

            /// The image is a sheet of pictures of this size, in rows, which become the slices of a 3D texture: `Image::layer` is one of
            /// them.
            slices: Option<(u32, u32)> as image_slices((u32, u32), some) "image.slices" = None, "none",
                Given(PixelSize(1..=16_384)), Import;

            /// How long each frame of a grid or a sequence is shown, in milliseconds.
            frame_time: u32 as image_frame_time(u32, same) "image.frame_time" = 100, "100",
                Integer(1..=3_600_000), Import;

            /// How many frames of a grid or a sequence are shown in a second, instead of `image.frame_time`: 12 is exact, and 83
            /// milliseconds are not.
            frame_rate: Option<u32> as image_frame_rate(u32, some) "image.frame_rate" = None, "none",
                Given(Integer(1..=1000)), Import;

            /// The image is a sheet that a JSON file of the same name describes, as Aseprite and TexturePacker export it:
            /// `hero.json` beside `hero.png`.
            sheet: bool as image_sheet(bool, same) "image.sheet" = false, "false",
                Flag, Import;

            /// The image with the bumps of this one: a normal map or a height map, by a path relative to this file. `*` stands for
            /// the name of this file without extension, and then the other image may be missing: "*_n.png". `Image::bump` is its id.
            bump: Option<String> as image_bump(impl Into<OrNone<String>>, or_none) "image.bump" = None, "false",
                OrFalse(LinkedImage), Links;

            /// Another image that a game may show instead of this one, such as a damaged wall, in the same way as `image.bump`.
            /// `Image::alternate` is its id.
            alternate: Option<String> as image_alternate(impl Into<OrNone<String>>, or_none) "image.alternate" = None, "false",
                OrFalse(LinkedImage), Links;

            /// The asset that says what the surface is made of, such as a file with the sounds of steps on it, in the same way as
            /// `image.bump`. `Image::material` is its id.
            material: Option<String> as image_material(impl Into<OrNone<String>>, or_none) "image.material" = None, "false",
                OrFalse(LinkedImage), Links;

            /// The files of the same folder whose names differ in their last number only, `fire_1.png` and `fire_2.png`, are an
            /// animation: shown again and again ("loop"), once ("once"), or to the end and back ("ping-pong"), each for
            /// `image.frame_time`. `Image::sequence` of the first one has the ids of all.
            sequence: ImageSequence as image_sequence(ImageSequence, same) "image.sequence" = ImageSequence::None, "\"none\"",
                OneOf::<ImageSequence>::ANY, Links;

            /// The atlas that the image goes into, as a path: with "sprites/ui" the images of all such files are one image,
            /// `sprites/ui.atlas`, and each file becomes a sprite, which is a rectangle in it. Not for images inside models.
            atlas: Option<String> as image_atlas(impl Into<OrNone<String>>, or_none) "image.atlas" = None, "false",
                OrFalse(AssetPath), Import;

            /// The most pixels that the atlas may be wide and high; more becomes several images. Of different values for one atlas
            /// the smallest counts.
            atlas_size: u32 as image_atlas_size(u32, same) "image.atlas_size" = 2048, "2048",
                Integer(16..=16_384), Import;

            /// How far the edge of the picture is repeated around it in the atlas, in pixels, so that blending at the edge takes no pixel
            /// of another picture. With `mipmaps` a power of two, and the atlas has as many smaller levels as that suffices for: 3 for 8.
            atlas_extrude: Option<u32> as image_atlas_extrude(u32, some) "image.atlas_extrude" = None, "1, or 8 with `mipmaps`",
                Given(Integer(0..=64)), Import;

            /// Transparent pixels between pictures in the atlas.
            atlas_gap: u32 as image_atlas_gap(u32, same) "image.atlas_gap" = 0, "0",
                Integer(0..=64), Import;

            /// Leave out the transparent edges of the picture. `Sprite::offset` and `Sprite::full_size` tell where it belongs.
            atlas_trim: bool as image_atlas_trim(bool, same) "image.atlas_trim" = false, "false",
                Flag, Import;

            /// The most pixels that the stored image may be wide. A limit: nothing is scaled.
            max_width: Option<u32> as image_max_width(u32, some) "image.max_width" = None, "no limit",
                Given(Integer(1..=MAX_LIMIT)), Check;

            /// The most pixels that the stored image may be high. A limit: nothing is scaled.
            max_height: Option<u32> as image_max_height(u32, some) "image.max_height" = None, "no limit",
                Given(Integer(1..=MAX_LIMIT)), Check;

            /// Whether width and height must be powers of two, as old GPUs want it. A limit: nothing is scaled.
            power_of_two: bool as image_power_of_two(bool, same) "image.power_of_two" = false, "false",
                Flag, Check;
        }
    };
}

pub(crate) use image_settings;
