//! The events that `tracing` gets.

use std::fmt::Write as _;
use std::sync::{Arc, Mutex};

use rres_runtime::{PackOptions, Store, Text};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

use super::assets::{pack, text};
use super::{File, id};

/// Writes down names and fields, with `>` and `<` where a span is entered and left.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<String>>>);

struct Fields(String);

impl Visit for Fields {
    fn record_debug(&mut self, field: &Field, value: &dyn std::fmt::Debug) {
        write!(self.0, " {field}={value:?}").unwrap();
    }
}

impl Log {
    fn push(&self, line: String) {
        self.0.lock().unwrap().push(line);
    }
}

impl Subscriber for Log {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target() == "rres"
    }

    fn new_span(&self, span: &Attributes<'_>) -> Id {
        let mut fields = Fields(span.metadata().name().to_owned());
        span.record(&mut fields);
        self.push(fields.0);
        Id::from_u64(self.0.lock().unwrap().len() as u64)
    }

    fn event(&self, event: &Event<'_>) {
        let mut fields = Fields(event.metadata().level().to_string());
        event.record(&mut fields);
        self.push(fields.0);
    }

    fn enter(&self, _: &Id) {
        self.push(">".to_owned());
    }

    fn exit(&self, _: &Id) {
        self.push("<".to_owned());
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}
}

#[test]
fn opening_and_loading_are_spans_and_failures_are_events() {
    let log = Log::default();
    let file = File::new(&pack([text("a.txt", "a")]));
    tracing::subscriber::with_default(log.clone(), || {
        let store = Store::from_packs([file.open()]);
        let loaded = store.load(id::<Text>("a.txt")).unwrap();
        assert_eq!(store.load(id::<Text>("a.txt")).unwrap(), loaded, "nothing is loaded for it");
        assert!(store.load(id::<Text>("gone.txt")).is_err());
        let other = pack([text("a.txt", "b")]).to_vec().unwrap();
        store.mount(PackOptions::default().from_bytes(other).unwrap()).unwrap();
    });
    let log = log.0.lock().unwrap();
    let (a, gone) = (id::<Text>("a.txt").resource(), id::<Text>("gone.txt").resource());
    let expected = [
        format!("open file={}", file.path().display()),
        format!("load path=\"a.txt\" id={a}"),
        format!("load path=\"\" id={gone}"),
        format!("DEBUG message=not loaded error=no asset with the id {gone}"),
        "open".to_owned(),
        // The overlay replaces it.
        format!("load path=\"a.txt\" id={a}"),
        "INFO message=a.txt: version 2".to_owned(),
    ];
    let lines: Vec<&String> = log.iter().filter(|line| line.len() > 1).collect();
    assert_eq!(lines.len(), expected.len(), "{log:#?}");
    for (line, expected) in lines.iter().zip(&expected) {
        assert!(line.starts_with(expected), "{line} does not start with {expected}");
    }
    let depth = log.iter().fold(0, |depth, line| match line.as_str() {
        ">" => depth + 1,
        "<" => depth - 1,
        _ => depth,
    });
    assert_eq!(depth, 0, "every span that is entered is left");
}
