// Written by hand, like a module that rres-build generates.
const _: () = ::rres_runtime::__private::check_generated_code(8);

#[allow(dead_code)]
type TextId = ::rres_runtime::Id<::rres_runtime::Text>;
#[allow(dead_code)]
type ImageId = ::rres_runtime::Id<::rres_runtime::Image>;

#[allow(dead_code)]
pub(crate) fn open() -> ::core::result::Result<::rres_runtime::Store, ::rres_runtime::Error> {
    let location = ::rres_runtime::__private::Location {
        pack: "game",
        dev: ::core::option::Option::None,
        pack_path_tail: ::core::option::Option::None,
        set_hash: [0; 16],
        types: &[],
    };
    ::rres_runtime::__private::open(&location)
}

#[allow(dead_code)]
pub(crate) const ALL: ::rres_runtime::Ids = ::rres_runtime::Ids::new(
    &[0x00000000_00000001, 0x00000001_00000002],
    &[2, 3],
);

/// `credits.txt`: 72 characters, 124 B stored (none)
#[allow(dead_code)]
pub(crate) const CREDITS_TXT: TextId = TextId { id: 0x00000000_00000001, kind: [] };

pub(crate) mod ui {
    use super::ImageId;

    #[allow(dead_code)]
    pub(crate) const ALL: ::rres_runtime::Ids = super::ALL.part(1, 1);
    /// `ui/button.png`: 64×64 RGBA8, 1.2 KiB stored (zstd)
    #[allow(dead_code)]
    pub(crate) const BUTTON_PNG: ImageId = ImageId { id: 0x00000001_00000002, kind: [] };
}

pub(crate) mod groups {
    /// `interface`: 1 asset, 1.2 KiB stored
    #[allow(dead_code)]
    pub(crate) const INTERFACE: ::rres_runtime::Group<INTERFACE> = ::rres_runtime::Group::new("interface", &[2]);
    /// The type of the group `interface`.
    #[allow(dead_code, non_camel_case_types)]
    #[derive(Clone, Copy, Debug)]
    pub(crate) enum INTERFACE {}
    /// `texts`: 1 asset, 124 B stored
    #[allow(dead_code)]
    pub(crate) const TEXTS: ::rres_runtime::Group<TEXTS> = ::rres_runtime::Group::new("texts", &[1]);
    /// The type of the group `texts`.
    #[allow(dead_code, non_camel_case_types)]
    #[derive(Clone, Copy, Debug)]
    pub(crate) enum TEXTS {}
}
