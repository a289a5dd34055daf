//! The description of an application bundle for macOS, `Info.plist`.

use std::fmt::Write;

use crate::cargo::Crate;

/// Returns the text of the file, for a bundle that starts the program `executable`.
pub(super) fn info_plist(package: &Crate, name: &str, executable: &str) -> String {
    let mut plist = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
        <!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\" \"http://www.apple.com/DTDs/PropertyList-1.0.dtd\">\n\
        <plist version=\"1.0\">\n<dict>\n"
        .to_owned();
    let version = package.version.split(['-', '+']).next().unwrap_or_default();
    let texts = [
        ("CFBundleDevelopmentRegion", "en"),
        ("CFBundleExecutable", executable),
        ("CFBundleIdentifier", &identifier(package)),
        ("CFBundleInfoDictionaryVersion", "6.0"),
        ("CFBundleName", name),
        ("CFBundlePackageType", "APPL"),
        ("CFBundleShortVersionString", version),
        ("CFBundleVersion", version),
    ];
    for (key, value) in texts {
        let _ = writeln!(plist, "  <key>{key}</key>\n  <string>{}</string>", escaped(value));
    }
    // Games draw in real pixels. Without it, macOS enlarges a small image.
    plist + "  <key>NSHighResolutionCapable</key>\n  <true/>\n</dict>\n</plist>\n"
}

/// Returns the name that macOS uses to tell applications apart: `identifier` under `[package.metadata.bundle]`, as `cargo bundle`
/// reads it, or else one made from the name of the package.
pub(super) fn identifier(package: &Crate) -> String {
    let own = || format!("game.{}", package.name.replace('_', "-"));
    package.bundle_identifier.clone().unwrap_or_else(own)
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
