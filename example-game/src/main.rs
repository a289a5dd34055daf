//! Lantern Drift: a small game whose every picture, sound, model, font, word and level comes through the pipeline.
//!
//! This file reads the command line and decides between window and no window; `README.md` says how to play.
#![forbid(unsafe_code)]

mod autopilot;
mod blocks;
mod chance;
mod display;
mod draw;
mod engine;
mod error;
mod headless;
mod journey;
mod lettering;
mod level;
mod library;
mod live;
mod loading;
mod notices;
mod play;
mod sound;
mod sparks;
mod tables;
mod words;
mod world;

use std::io::Write as _;
use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};

use crate::error::{Error, Result};
use crate::play::{Request, Scene};

rres_runtime::include_assets!();

const HELP: &str = "\
Lantern Drift, the example game of the rres asset pipeline

Usage: example-game [OPTIONS]

Options:
      --headless           open no window: load every group, fly every level by autopilot, print a table
      --screenshot FILE    write one frame to FILE (.png) and leave
      --scene NAME         what the screenshot shows: flight (default), title, rest, loading, story or end
      --after SECONDS      how far into the scene the screenshot is taken
      --level N            start at level N, from 1
      --language CODE      en, de, fr or es (default: from LANG)
      --autopilot          let the game play itself
      --licenses           print the licences of the fonts
  -h, --help               print this

Where no display can be opened the game runs as with --headless.
RRES_PATH names another pack, or the directory that holds lantern-drift.rres.
";

/// What to do.
#[derive(Clone, Debug)]
enum Task {
    Help,
    Headless,
    Licenses,
    Window(Request),
}

fn main() -> ExitCode {
    let result = parse(std::env::args().skip(1)).and_then(run);
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            complain(&format!("error: {error}"));
            ExitCode::from(error.exit_code())
        }
    }
}

fn run(task: Task) -> Result<()> {
    let request = match task {
        Task::Help => return print(HELP),
        Task::Licenses => return print(&library::licenses(&assets::open()?)?),
        Task::Headless => return headless::run(&assets::open()?),
        Task::Window(request) => request,
    };
    let store = assets::open()?;
    match display::find() {
        Ok(answer) => in_window(store, request, answer),
        Err(why) => without_window(&store, &request, &why),
    }
}

/// Says why there is no window and does what can be done without one.
fn without_window(store: &rres_runtime::Store, request: &Request, why: &str) -> Result<()> {
    if request.screenshot.is_some() {
        return Err(Error::Output(format!("no screenshot without a display: {why}")));
    }
    complain(&format!("no window: {why}; running without one, as --headless does"));
    headless::run(store)
}

/// The window library takes a future and gives nothing back, so the result travels through a shared place. It panics
/// where it finds no libraries or no graphics: that is kept quiet, and told as any other reason.
fn in_window(store: rres_runtime::Store, request: Request, answer: display::Answer) -> Result<()> {
    let (outcome, asked) = (Arc::new(Mutex::new(None)), request.clone());
    let inside = Arc::clone(&outcome);
    std::panic::set_hook(Box::new(|_| {}));
    let opened = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        macroquad::Window::from_config(play::config(), async move {
            // From here on a panic is a mistake of the game and is shown as one.
            drop(std::panic::take_hook());
            drop(answer);
            let result = play::run(store, request).await;
            *inside.lock().unwrap_or_else(PoisonError::into_inner) = Some(result);
        });
    }));
    let result = outcome.lock().unwrap_or_else(PoisonError::into_inner).take();
    match (result, opened) {
        (Some(result), _) => result,
        // A window that was closed takes the game with it.
        (None, Ok(())) => Ok(()),
        (None, Err(panic)) => {
            let text = panic.downcast_ref::<&str>().map(|s| (*s).to_owned());
            let why = text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default();
            without_window(&assets::open()?, &asked, &format!("the display library gave up ({why})"))
        }
    }
}

fn parse(mut args: impl Iterator<Item = String>) -> Result<Task> {
    let mut request = Request::default();
    let mut headless = false;
    while let Some(arg) = args.next() {
        let mut value = || args.next().ok_or_else(|| Error::Usage(format!("{arg} needs a value")));
        match arg.as_str() {
            "-h" | "--help" => return Ok(Task::Help),
            "--licenses" => return Ok(Task::Licenses),
            "--headless" => headless = true,
            "--autopilot" => request.autopilot = true,
            "--screenshot" => request.screenshot = Some(value()?),
            "--scene" => request.scene = scene(&value()?)?,
            "--after" => request.after = Some(number(&arg, &value()?, 0.0, 600.0)?),
            "--level" => request.level = Some(number(&arg, &value()?, 1.0, 3.0)? as usize - 1),
            "--language" => request.language = Some(language(&value()?)?),
            _ => return Err(Error::Usage(format!("unknown option \"{arg}\""))),
        }
    }
    Ok(if headless { Task::Headless } else { Task::Window(request) })
}

fn scene(name: &str) -> Result<Scene> {
    match name {
        "flight" => Ok(Scene::Flight),
        "title" => Ok(Scene::Title),
        "story" => Ok(Scene::Story),
        "end" => Ok(Scene::End),
        "loading" => Ok(Scene::Loading),
        "rest" => Ok(Scene::Rest),
        _ => {
            Err(Error::Usage(format!("unknown scene \"{name}\", expected flight, title, rest, loading, story or end")))
        }
    }
}

fn language(code: &str) -> Result<usize> {
    let known = library::LANGUAGES.iter().position(|known| *known == code);
    known.ok_or_else(|| {
        Error::Usage(format!("unknown language \"{code}\", expected one of {}", library::LANGUAGES.join(", ")))
    })
}

fn number(option: &str, text: &str, low: f32, high: f32) -> Result<f32> {
    let value = text.parse::<f32>().ok().filter(|value| (low..=high).contains(value));
    value.ok_or_else(|| Error::Usage(format!("{option} is \"{text}\", expected a number from {low} to {high}")))
}

fn print(text: &str) -> Result<()> {
    let printed = std::io::stdout().lock().write_all(text.as_bytes());
    printed.map_err(|e| Error::Output(format!("cannot print: {e}")))
}

fn complain(message: &str) {
    // Where not even this can be written there is nobody to tell.
    let _ = writeln!(std::io::stderr().lock(), "{message}");
}
