//! The settings of the pack as a whole, one row each; [`super::table`] explains the rows.

/// Settings of the pack as a whole.
#[doc(hidden)]
#[macro_export]
macro_rules! pack_settings {
    ($with:ident $($arg:tt)*) => {
        $with! {
            $($arg)*
            /// Settings of the pack as a whole.
            [PackSettings PackValues PACK_ROWS pack]

            /// The file name of the pack, without `.rres`.
            name: Option<String> as name(impl Into<String>, some) "name" = None, "the package's; `PACKAGE-DIRECTORY` if the directory is not `assets`",
                Given(FileName), Pack;

            /// What packs are made for: a small download ("size"), fast loading ("speed"), or both ("balanced"). It chooses
            /// `compression`, `level` and `filters` where nothing else sets them; see storage.md. Cargo's profiles have nothing to do with it.
            profile: Option<Profile> as profile(Profile, some) "profile" = None, "\"balanced\"",
                Given(OneOf::<Profile>::ANY), Pack;

            /// The compression of assets for which no rule chooses one.
            compression: Option<Compression> as compression(Compression, some) "compression" = None,
                "the profile's",
                Given(OneOf::<Compression>::ANY), Pack;

            /// The level of that compressor, for assets for which no rule chooses one.
            level: Option<i32> as level(i32, some) "level" = None, "the profile's",
                Given(Integer(1..=22)), Pack;

            /// The filters of that compressor, for assets for which no rule chooses any.
            filters: Option<Filters> as filters(Filters, some) "filters" = None, "the profile's",
                Given(OneOf::<Filters>::ANY), Pack;

            /// The reader that has to load every asset: `rres-raylib.h`. Assets are converted to what it reads, or refused; see format.md.
            compat: Option<Compat> as compat(Compat, some) "compat" = None, "readers of this project",
                Given(OneOf::<Compat>::ANY), Pack;

            /// Write the central directory, which tells C programs the names of files.
            directory: bool as directory(bool, same) "directory" = true, "true",
                Flag, Pack;

            /// The cipher of assets for which no rule chooses one.
            cipher: Cipher as cipher(Cipher, same) "cipher" = Cipher::NONE, "\"none\"",
                OneOf::<Cipher>::ANY, Pack;

            /// The environment variable with the key of encrypted assets: a password, or `hex:` and 64 hexadecimal digits. It
            /// comes before `key_file`.
            key_env: Option<String> as key_env(impl Into<String>, some) "key_env" = None, "`RRES_KEY`",
                Given(VariableName), Pack;

            /// The file with the key of encrypted assets, relative to the package. Keep it out of version control.
            key_file: Option<String> as key_file(impl Into<String>, some) "key_file" = None, "none",
                Given(FilePath), Pack;

            /// Write the paths of assets into the pack, and the central directory. Without them a game finds assets by their
            /// constants and ids, and C programs by ids.
            paths: bool as paths(bool, same) "paths" = true, "true",
                Flag, Pack;

            /// Store pictures and texts as what distinguishes them from similar ones of their folder, where that saves an eighth of
            /// their size and 128 bytes. Only files that no rule encrypts or gives another compression; see storage.md.
            siblings: bool as siblings(bool, same) "siblings" = true, "true",
                Flag, Pack;

            /// The largest size of one pack; more becomes a set of packs.
            split: Option<u64> as split(u64, some) "split" = None, "as much as the format holds",
                Given(Size(4 << 10..=1 << 32, "4 KiB to 4 GiB")), Pack;

            /// The file with the order in which a run of the game has loaded its assets, relative to the package: the members of each group are
            /// stored in that order, and so are the other assets. The variable `RRES_RECORD` makes it; see storage.md.
            order: Option<String> as order(impl Into<String>, some) "order" = None, "by path",
                Given(FilePath), Pack;

            /// A pack that players have, relative to the package: assets keep their places in it, so stores that compare blocks find few that
            /// have changed; see patching.md.
            layout_from: Option<String> as layout_from(impl Into<String>, some) "layout_from" = None, "none",
                Given(FilePath), Pack;

            /// Link the packs into the program in release builds, so that it is one file, which `strip` leaves whole; see
            /// executables.md.
            embed: bool as embed(bool, same) "embed" = false, "false",
                Flag, Pack;

            /// What the compiler does about each asset that no code names: nothing ("allow"), a warning or an error. Assets
            /// that a program reaches through a group, `ALL` or `by_path` are reported too; `cargo rres unused` counts them as used.
            unused: LintLevel as unused(LintLevel, same) "lints.unused" = LintLevel::Allow, "\"allow\"",
                OneOf::<LintLevel>::ANY, Pack;

            /// The name of a file beside the pack with the ids of all resources for another language, which the extension chooses: a C
            /// header, C# or TypeScript; or with their paths, for editors of Lua and Luau. The names are as in the Rust constants:
            /// `RRES_UI_BUTTON_PNG`, `Assets.ui.BUTTON_PNG`. See other-languages.md.
            header: Option<String> as header(impl Into<String>, some) "header" = None, "none",
                Given(HeaderName), Pack;

            /// Keep the set of assets in a lock file beside the assets directory, so that debug builds need not run the
            /// build script after an edit; see lock-mode.md.
            lock: bool as lock(bool, same) "lock" = false, "false",
                Flag, Pack;

            /// What a build does about files that it refuses, such as broken ones: fail ("deny"), or go on without them and
            /// warn ("warn"), or the former in release builds and the latter in debug builds ("deny_in_release").
            refused: RefusedFiles as refused(RefusedFiles, same) "lints.refused" = RefusedFiles::Deny, "\"deny\"",
                OneOf::<RefusedFiles>::ANY, Pack;

            /// The languages of variants such as `menu.fr.txt`, as tags of BCP 47. The first one is the language of the assets that these
            /// are variants of; see languages.md.
            locales: Vec<String> as locales(impl IntoIterator<Item = impl Into<String>>, strings) "locales" = Vec::<String>::new(), "none",
                OneOrMore(LocaleTag), Pack;

            /// The densities of variants such as `button@2x.png`, in pixels for each pixel of the asset.
            densities: Vec<f32> as densities(impl Into<Vec<f32>>, same) "densities" = Vec::<f32>::new(), "none",
                OneOrMore(Number(0.25..=16.0, "")), Pack;

            /// Names of targets that files such as `hud.mobile.png` are for, each with a condition in Cargo's syntax. A pack contains the file
            /// for its target, under the path of the file without a name, `hud.png`; see languages.md.
            targets: Vec<(String, String)> as targets(impl IntoIterator<Item = (impl Into<String>, impl Into<String>)>, pairs) "targets" = Vec::<(String, String)>::new(), "none",
                TargetNames, Pack;

            /// Write into the generated module who made the assets, as the function `credits`. Needs the feature `licenses` of rres-build; see licences.md.
            credits: bool as credits(bool, same) "credits" = false, "false",
                Flag, Pack;

            /// What a build does about files whose licence nobody states: nothing ("allow"), a warning or an error. Needs the feature
            /// `licenses` of rres-build; see licences.md.
            unlicensed: LintLevel as unlicensed(LintLevel, same) "lints.unlicensed" = LintLevel::Allow, "\"allow\"",
                OneOf::<LintLevel>::ANY, Pack;

            /// The licences that files may have, by their names at SPDX. A file with another one is an error, unless its licence is a
            /// choice. Needs the feature `licenses` of rres-build; see licences.md.
            allowed_licenses: Vec<String> as allowed_licenses(impl IntoIterator<Item = impl Into<String>>, strings) "lints.allowed_licenses" = Vec::<String>::new(), "any",
                OneOrMore(CreditLine), Pack;

            /// What a build does about a budget that is exceeded: nothing ("allow"), a warning or an error.
            over_budget: LintLevel as over_budget(LintLevel, same) "lints.over_budget" = LintLevel::Deny, "\"deny\"",
                OneOf::<LintLevel>::ANY, Pack;
        }
    };
}
