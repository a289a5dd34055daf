//! The assets that images lead to → the settings with which a build of the extracted files links them again.

use std::collections::{HashMap, HashSet};

use rres_format::ResourceId;
use rres_format::index::{MetaKey, Playback};
use toml_edit::Value;

use super::plan::{Extraction, Form};

/// What the rule for an image says of its links.
#[derive(Default)]
pub(super) struct ImageLinks {
    /// Settings of `image`.
    pub(super) settings: Vec<String>,
    /// Comments about links that no setting makes again.
    pub(super) remarks: Vec<String>,
}

/// Returns the links of the extracted images, by id.
pub(super) fn image_links(extractions: &[Extraction<'_>]) -> HashMap<ResourceId, ImageLinks> {
    let is_image = |extraction: &&Extraction<'_>| matches!(extraction.form, Form::Image(_) | Form::Source);
    let images = extractions.iter().filter(is_image);
    let files: HashMap<ResourceId, &str> =
        images.clone().map(|extraction| (extraction.resource.id, extraction.files[0].as_str())).collect();
    let all: HashMap<ResourceId, &str> =
        extractions.iter().map(|extraction| (extraction.resource.id, extraction.files[0].as_str())).collect();
    let mut links: HashMap<ResourceId, ImageLinks> = HashMap::new();
    // A build takes all files of one name but their numbers for one sequence.
    let mut sequences: HashSet<(&str, &str)> = HashSet::new();
    for Extraction { pack, resource, files: own, .. } in images {
        let (view, id) = (pack.view(), resource.id);
        let of_slot = resource.slot.zip(view.index()).and_then(|(slot, index)| {
            Some((index.meta(slot).ok()?.to_meta(), index.dependencies(slot).ok()?.collect::<Vec<_>>()))
        });
        let Some((meta, targets)) = of_slot else { continue };
        let position = |key| meta.get(key).and_then(|position| usize::try_from(position).ok());
        for (key, name, files) in [
            (MetaKey::BUMP, "bump", &files),
            (MetaKey::ALTERNATE, "alternate", &files),
            (MetaKey::MATERIAL, "material", &all),
        ] {
            let Some(target) = position(key).and_then(|position| targets.get(position)) else { continue };
            let of_image = links.entry(id).or_default();
            match files.get(target) {
                Some(file) => of_image.settings.push(format!("{name} = {}", Value::from(relative(&own[0], file)))),
                None => of_image.remarks.push(format!("# Its {name} is {target}, which is not extracted.")),
            }
        }
        let length = position(MetaKey::SEQUENCE_LENGTH).unwrap_or_default();
        let Some(others) = position(MetaKey::SEQUENCE).and_then(|first| targets.get(first..)) else { continue };
        let others = &others[..others.len().min(length.saturating_sub(1))];
        let frames: Option<Vec<&str>> = others.iter().map(|frame| files.get(frame).copied()).collect();
        let name = frames.as_deref().and_then(|frames| sequence_name(&own[0], frames));
        match name.filter(|name| sequences.insert(*name)) {
            Some(_) => {
                let playback = match meta.get(MetaKey::PLAYBACK) {
                    Some(number) if number == Playback::Once as u32 => "once",
                    Some(number) if number == Playback::PingPong as u32 => "ping-pong",
                    _ => "loop",
                };
                let of_first = &mut links.entry(id).or_default().settings;
                of_first.push(format!("sequence = \"{playback}\""));
                let rate = meta.get(MetaKey::FRAME_RATE).filter(|rate| (1..=1000).contains(rate));
                let time = meta.get(MetaKey::FRAME_TIME).map(|time| format!("frame_time = {time}"));
                of_first.extend(rate.map(|rate| format!("frame_rate = {rate}")).or(time));
                for frame in others {
                    links.entry(*frame).or_default().settings.push(format!("sequence = \"{playback}\""));
                }
            }
            None => links.entry(id).or_default().remarks.push(format!(
                "# It begins a sequence with {} more, which a build makes only of numbered files of one name.",
                others.len()
            )),
        }
    }
    links
}

/// Returns what the names of a sequence have in common, before and after their numbers; `None` if a build would not make this sequence of them.
fn sequence_name<'f>(first: &'f str, others: &[&str]) -> Option<(&'f str, &'f str)> {
    let split = |file: &'_ str| -> Option<(usize, usize, u64)> {
        let dot = file.rfind('.')?;
        let start = file[..dot].trim_end_matches(|c: char| c.is_ascii_digit()).len();
        Some((start, dot, file[start..dot].parse().ok()?))
    };
    let (start, dot, mut last) = split(first)?;
    let name = (&first[..start], &first[dot..]);
    for other in others {
        let (start, dot, number) = split(other)?;
        if (&other[..start], &other[dot..]) != name || number <= last {
            return None;
        }
        last = number;
    }
    (!others.is_empty()).then_some(name)
}

/// Returns the path of a file, relative to the folder of another one.
fn relative(from: &str, to: &str) -> String {
    let folders: Vec<&str> = from.split('/').collect();
    let folders = &folders[..folders.len() - 1];
    let names: Vec<&str> = to.split('/').collect();
    let common = folders.iter().zip(&names).take_while(|(a, b)| a == b).count().min(names.len() - 1);
    let up = std::iter::repeat_n("..", folders.len() - common);
    up.chain(names[common..].iter().copied()).collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_numbered_files_of_one_name_in_order_are_a_sequence() {
        for (first, others, expected) in [
            ("a/fire_1.png", &["a/fire_2.png", "a/fire_10.png"][..], Some(("a/fire_", ".png"))),
            ("fire_2.png", &["fire_1.png"], None),
            ("fire_1.png", &["smoke_2.png"], None),
            ("fire.png", &["fire_2.png"], None),
            ("fire_1.png", &[], None),
        ] {
            assert_eq!(sequence_name(first, others), expected, "{first} {others:?}");
        }
        assert_eq!(relative("a/b/x.png", "a/c/y z.png"), "../c/y z.png");
    }
}
