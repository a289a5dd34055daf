//! `cargo rres exe info`: what an executable contains besides the program.

use std::path::PathBuf;

use rres_format::embedded::EmbeddedPack;
use rres_packs::executable::{LegacyPackage, MovedFooter, Program};
use rres_settings::ByteSize;
use serde_json::{Value, json};

use super::LegacyArgs;
use crate::exit::{Failure, Outcome};
use crate::output::{Output, count, escape_terminal, grouped};

/// Show the packs in an executable
///
/// Prints where they are, whether they were appended or linked, and what else was appended to the program. Exits with code 1 if
/// packs are damaged, or are where programs do not find them.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The executable
    exe: PathBuf,
    /// Compare each pack with its CRC-32
    #[arg(long)]
    verify: bool,
    /// Look for packs that the program does not find, because another tool has appended something after them
    #[arg(long)]
    scan: bool,
    #[command(flatten)]
    legacy: LegacyArgs,
    /// Print the output as JSON
    #[arg(long)]
    json: bool,
}

/// What there is to print.
struct Info {
    program: Program,
    packs: Vec<Pack>,
    moved: Option<MovedFooter>,
    legacy: Option<LegacyPackage>,
}

struct Pack {
    pack: EmbeddedPack,
    is_linked: bool,
    /// Whether the CRC-32 is right; `None` if it was not compared.
    is_intact: Option<bool>,
}

pub(super) fn run(args: &Args, out: &mut Output) -> Result<Outcome, Failure> {
    let mut program = Program::open(&args.exe)?;
    let mut packs = Vec::new();
    let attachments = program.appended.iter().map(|attachment| (attachment, false));
    for (attachment, is_linked) in attachments.chain(program.linked.iter().map(|attachment| (attachment, true))) {
        for pack in &attachment.packs {
            let is_intact = match args.verify {
                true => Some(program.crc32(pack.offset, pack.len)? == pack.crc32),
                false => None,
            };
            packs.push(Pack { pack: pack.clone(), is_linked, is_intact });
        }
    }
    let moved = if args.scan && program.appended.is_empty() { program.scan()? } else { None };
    let legacy = args.legacy.legacy.as_ref().map(|marker| program.legacy(marker)).transpose()?;
    if let Err(error) = program.check_parts() {
        out.warn(&error.to_string())?;
    }
    let is_fine = moved.is_none() && packs.iter().all(|pack| pack.is_intact != Some(false));
    let info = Info { program, packs, moved, legacy };
    if args.json {
        out.json(info.to_json())?;
    } else {
        info.print(args, out)?;
    }
    Ok(Outcome::of(is_fine))
}

impl Info {
    fn to_json(&self) -> Value {
        let pack = |Pack { pack, is_linked, is_intact }: &Pack| {
            json!({
                "name": pack.name,
                "offset": pack.offset,
                "pack_size": pack.len,
                "crc32": format!("{:#010x}", pack.crc32),
                "linked": is_linked,
                "intact": is_intact,
            })
        };
        let moved = |moved: &MovedFooter| {
            let names: Vec<_> = moved.attachment.packs.iter().map(|pack| &pack.name).collect();
            json!({ "packs": names, "end": moved.attachment.end, "after_size": moved.bytes_after })
        };
        let legacy = |legacy: &LegacyPackage| {
            let files = legacy.files.iter().map(|file| {
                json!({ "name_hash": format!("{:#010x}", file.name_hash), "offset": file.offset, "file_size": file.len })
            });
            json!({ "offset": legacy.start, "files": files.collect::<Vec<_>>() })
        };
        json!({
            "file": self.program.path().display().to_string(),
            "format": self.program.info.format.name(),
            "file_size": self.program.len,
            "program_size": self.program.host_len(),
            "overlay_size": self.program.overlay(),
            "signature_size": self.program.signature().map(|signature| signature.len),
            "packs": self.packs.iter().map(pack).collect::<Vec<_>>(),
            "moved": self.moved.as_ref().map(moved),
            "legacy": self.legacy.as_ref().map(legacy),
        })
    }

    fn print(&self, args: &Args, out: &mut Output) -> Result<(), Failure> {
        let program = &self.program;
        let file = escape_terminal(&program.path().display().to_string());
        out.line(format!("{file}: {} ({})", ByteSize(program.len), program.info.format.name()))?;
        out.line(format!("  program  {}", ByteSize(program.host_len())))?;
        if program.overlay() > 0 {
            out.line(format!("  of which {} bytes were appended by another tool", grouped(program.overlay())))?;
        }
        if let Some(signature) = program.signature() {
            out.line(format!("  signature  {}", ByteSize(signature.len)))?;
        }
        for Pack { pack, is_linked, is_intact } in &self.packs {
            let (name, size) = (escape_terminal(&pack.name), ByteSize(pack.len));
            let how = if *is_linked { "linked" } else { "appended" };
            let state = match is_intact {
                Some(true) => ", intact",
                Some(false) => ", damaged: the CRC-32 is wrong",
                None => "",
            };
            out.line(format!("  {name}  {size}, {how} at {}{state}", grouped(pack.offset)))?;
        }
        if let Some(legacy) = &self.legacy {
            let files = count(legacy.files.len(), "file");
            out.line(format!("  {files} in the layout of tutorials, from {} on", grouped(legacy.start)))?;
            for file in &legacy.files {
                let (hash, size) = (file.name_hash, ByteSize(file.len));
                out.line(format!("    {hash:08x}  {size} at {}", grouped(file.offset)))?;
            }
        }
        if let Some(MovedFooter { attachment, bytes_after }) = &self.moved {
            let names: Vec<String> = attachment.packs.iter().map(|pack| escape_terminal(&pack.name)).collect();
            out.error(&format!(
                "{file}: the packs ({}) end at {}, but another tool has appended {} bytes after them, so the program does not find them; \
                 embed packs after that tool has run",
                names.join(", "),
                grouped(attachment.end),
                grouped(*bytes_after)
            ))?;
        } else if self.packs.is_empty() && self.legacy.is_none() {
            let why = match args.scan {
                true => "; tools such as strip, objcopy and UPX remove packs that were appended",
                false => "; --scan looks for packs that the program does not find",
            };
            out.line(format!("  no packs{why}"))?;
        }
        Ok(())
    }
}
