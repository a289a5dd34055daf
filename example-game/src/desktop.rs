//! The game on a computer: in a window or, without a display, without one.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::process::ExitCode;
use std::rc::Rc;

use anyhow::{Result, bail};
use rres_runtime::Store;

use crate::{Options, assets, headless, window};

/// Plays until the player quits.
pub(crate) fn start(options: &Options) -> ExitCode {
    match run(options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            complain(&format!("error: {error:#}"));
            ExitCode::FAILURE
        }
    }
}

fn run(options: &Options) -> Result<()> {
    let store = assets::open()?;
    store.set_texture_limit(options.texture_limit)?;
    if options.licenses {
        return headless::print_licenses(&store);
    }
    if options.headless {
        return headless::run(&store);
    }
    match in_window(&store, options) {
        Ok(result) => result,
        Err(why) if options.screenshot.is_some() => bail!("no screenshot without a window: {why}"),
        Err(why) => {
            complain(&format!("no window: {why}; running without one, as --headless does"));
            headless::run(&store)
        }
    }
}

/// Runs the game in a window, or returns the reason why no window could be opened. The window library takes a future
/// and returns nothing, so the result is passed through a shared cell.
fn in_window(store: &Store, options: &Options) -> Result<Result<()>, String> {
    let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    if cfg!(target_os = "linux") && !is_set("DISPLAY") && !is_set("WAYLAND_DISPLAY") {
        return Err("neither DISPLAY nor WAYLAND_DISPLAY is set".to_owned());
    }
    let outcome = Rc::new(RefCell::new(Ok(())));
    let (result, store, options) = (Rc::clone(&outcome), store.clone(), options.clone());
    // The library panics if it finds no display or no graphics. That is one of the reasons, not a bug of the game.
    set_hook(Box::new(|_| {}));
    let opened = catch_unwind(AssertUnwindSafe(|| {
        macroquad::Window::from_config(window::config(), async move {
            drop(take_hook());
            let ended = window::run(store, &options).await;
            *result.borrow_mut() = ended;
        });
    }));
    drop(take_hook());
    match opened {
        // A window that the player closes ends the game.
        Ok(()) => Ok(outcome.replace(Ok(()))),
        Err(panic) => {
            let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
            let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
            Err(format!("the display library gave up ({})", text.unwrap_or_default()))
        }
    }
}

#[expect(clippy::print_stderr, reason = "messages of the game to the person who started it")]
fn complain(message: &str) {
    eprintln!("{message}");
}
