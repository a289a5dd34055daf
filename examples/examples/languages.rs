//! Loads texts in the player's language, and switches the language while the program runs.
//!
//! ```sh
//! cargo run -p rres-examples --example languages
//! cargo run -p rres-examples --example languages -- zh-TW
//! ```
#![allow(dead_code, reason = "each example uses a few of the assets")]
#![allow(clippy::print_stdout, reason = "an example prints")]

rres_runtime::include_assets!(mod languages);

use rres_runtime::Strings;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let store = languages::open()?;
    let available: Vec<String> = store.available_locales().iter().map(ToString::to_string).collect();
    println!("there are: {}", available.join(", "));

    // Most systems have the language in `LANG`; the crate `sys-locale` asks the others.
    let wanted = std::env::args().nth(1).or_else(|| std::env::var("LANG").ok()).unwrap_or_default();
    if let Err(error) = store.set_locale(&wanted) {
        println!("{error}"); // the menu stays in English
    }
    let menu = store.load(languages::MENU_TXT)?;
    println!("{wanted}: {}", menu.get().lines().collect::<Vec<_>>().join(", "));

    // A table of texts, `ui.csv`: its keys are constants, so a misspelt one does not compile.
    let strings = store.load(languages::UI_CSV.into_type::<Strings>())?;
    println!("{}", strings.get().format(languages::ui_csv::key::GREETING, &[("name", &"Ann")]));

    // The same handle has the new text: nothing has to be loaded again by hand.
    let mut changes = menu.watch();
    for locale in ["fr-BE", "fr-CA", "zh-TW", "en"] {
        store.set_locale(locale)?;
        if let Some(text) = changes.changed() {
            let quit = strings.get().text(languages::ui_csv::key::QUIT).to_owned();
            println!("{locale}: {}; {quit}", text.lines().collect::<Vec<_>>().join(", "));
        }
    }
    Ok(())
}
