//! Tables → what translators get of them.

use rres_translations::{Catalog, Message, Syntax, Unit, plural};

use super::tables::Table;

/// A table with its translations. An empty language makes a template. `has_plurals` says whether the format has plural forms.
pub(super) fn catalog(table: &Table, language: &str, has_plurals: bool) -> Catalog {
    let texts = table.texts(language);
    let unit = |message: &Message| {
        let translation = texts.and_then(|texts| texts.messages.iter().find(|of| of.key == message.key));
        let mut unit = Unit {
            key: message.key.clone(),
            source: message.text.clone(),
            targets: translation.map(|of| of.text.clone()).into_iter().collect(),
            is_fuzzy: texts.is_some_and(|texts| texts.fuzzy.contains(&message.key)),
            comment: message.comment.clone(),
            table_line: message.line,
            ..Unit::default()
        };
        if has_plurals && table.syntax() == Syntax::Fluent {
            split_plural(&mut unit, language);
        }
        unit
    };
    Catalog {
        table: table.source.clone(),
        source_language: table.first().language.clone(),
        language: language.to_owned(),
        units: table.first().messages.iter().map(unit).collect(),
    }
}

/// Gives a unit plural forms, if its text is a choice by a number and nothing of its translation is lost by that.
fn split_plural(unit: &mut Unit, language: &str) {
    let Some((one, other)) = plural::split(&unit.source).and_then(|of| of.one_and_other()) else { return };
    let targets = match (unit.targets.first(), plural::forms(language)) {
        (None, Some(_)) => Vec::new(),
        (None, None) if language.is_empty() => Vec::new(),
        (Some(target), Some(forms)) => match plural::split(target).and_then(|of| of.in_order(forms)) {
            Some(targets) => targets,
            None => return,
        },
        _ => return,
    };
    (unit.source, unit.plural, unit.targets) = (one, Some(other), targets);
}
