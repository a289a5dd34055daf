//! Sounds whose heads claim hours, thousands of channels or comments without end.

use rres_test_data::bytes::{be, words};
use rres_test_data::sound::ogg_page;

use super::bombs::{Bomb, defuse};

/// A WAV with this format and these chunks, whose sizes are as they are claimed.
fn wav(tag: u16, channels: u16, rate: u32, align: u16, bits: u16, rest: &[(&[u8; 4], u32, &[u8])]) -> Vec<u8> {
    let mut out =
        [&b"RIFF"[..], &words(&[u32::MAX]), b"WAVEfmt ", &words(&[16]), &tag.to_le_bytes(), &channels.to_le_bytes()]
            .concat();
    out.extend(words(&[rate, rate.wrapping_mul(align.into())]));
    out.extend([align.to_le_bytes(), bits.to_le_bytes()].concat());
    for (name, size, data) in rest {
        out.extend([&name[..], &words(&[*size]), data].concat());
    }
    out
}

/// A page of Ogg with one packet, and its checksum.
fn page(number: u32, flags: u8, position: u64, packet: &[u8]) -> Vec<u8> {
    ogg_page(number, flags, position, &[packet])
}

fn flac(blocks: &[(u8, u32, &[u8])]) -> Vec<u8> {
    // 16-bit stereo at 44.1 kHz of the most frames that a head can state.
    let info = [&[0x10, 0, 0x10, 0][..], &[0; 6], &[0x0a, 0xc4, 0x42, 0xff, 0xff, 0xff, 0xff, 0xff], &[0; 16]].concat();
    let mut out = [&b"fLaC"[..], &[if blocks.is_empty() { 0x80 } else { 0 }, 0, 0, 34], &info].concat();
    for (i, (kind, size, data)) in blocks.iter().enumerate() {
        out.push(kind | if i + 1 == blocks.len() { 0x80 } else { 0 });
        out.extend(&size.to_be_bytes()[1..]);
        out.extend(*data);
    }
    out
}

#[test]
fn sound_files() {
    let all = u32::MAX;
    let data = [0; 64];
    let vorbis = |comments: &[u8], setup: &[u8]| {
        let head = [&b"\x01vorbis"[..], &words(&[0]), &[2], &words(&[44100, 0, all, 0]), &[0xdd, 1]].concat();
        [
            page(0, 2, 0, &head),
            page(1, 0, 0, &[b"\x03vorbis", comments].concat()),
            page(2, 0, 0, &[b"\x05vorbis", setup].concat()),
            page(3, 4, u64::MAX >> 1, &[0; 16]),
        ]
        .concat()
    };
    let opus = |channels: u8, position: u64| {
        let head = [&b"OpusHead\x01"[..], &[channels, 0xff, 0xff], &words(&[all]), &[0, 0, 0]].concat();
        [page(0, 2, 0, &head), page(1, 0, 0, b"OpusTags\0\0\0\0\xff\xff\xff\xff"), page(2, 4, position, &[0xfc; 8])]
            .concat()
    };
    let mp3 = |frames: u32| {
        let mut frame = vec![0xff, 0xfb, 0x90, 0];
        frame.resize(417, 0);
        frame[36..40].copy_from_slice(b"Xing");
        frame[40..48].copy_from_slice(&be::<u32>(&[1, frames]));
        [frame.clone(), [&[0xff, 0xfb, 0x90, 0][..], &[0; 413]].concat().repeat(3)].concat()
    };
    let id3 = |size: [u8; 4]| [&b"ID3\x04\0\0"[..], &size, &mp3(2)].concat();
    let atom = |name: &[u8; 4], data: &[u8]| [&be::<u32>(&[data.len() as u32 + 8])[..], name, data].concat();
    let mp4 = |count: u32| {
        let table = |name: &[u8; 4]| atom(name, &be::<u32>(&[0, count, all, all]));
        let tables =
            [table(b"stts"), table(b"stsc"), atom(b"stsz", &be::<u32>(&[0, all, count])), table(b"stco")].concat();
        let entry = [&[0; 6][..], &[0, 1], &[0; 8], &[0, 2, 0, 16], &[0; 4], &be::<u32>(&[0xac44_0000])].concat();
        let description = atom(b"stsd", &[&be::<u32>(&[0, 1])[..], &atom(b"mp4a", &entry)].concat());
        let media = [
            atom(b"mdhd", &be::<u32>(&[0, 0, 0, 44100, all, 0])),
            atom(b"hdlr", &[&be::<u32>(&[0, 0])[..], b"soun", &[0; 13]].concat()),
            atom(b"minf", &atom(b"stbl", &[description, tables].concat())),
        ];
        let track = [atom(b"tkhd", &[0; 84]), atom(b"mdia", &media.concat())].concat();
        [atom(b"ftyp", b"M4A \0\0\0\0"), atom(b"moov", &atom(b"trak", &track)), atom(b"mdat", &[0; 64])].concat()
    };
    let boxes = |depth: usize| {
        let mut out = atom(b"ftyp", b"M4A \0\0\0\0");
        (0..depth).for_each(|i| {
            out.extend([&be::<u32>(&[((depth - i) * 8) as u32])[..], if i == 0 { b"moov" } else { b"trak" }].concat())
        });
        out
    };
    let aiff = |channels: u16, frames: u32, bits: u16, size: u32| {
        let common = [
            &channels.to_be_bytes()[..],
            &be::<u32>(&[frames]),
            &bits.to_be_bytes(),
            &[0x40, 0x0e, 0xac, 0x44],
            &[0; 6],
        ]
        .concat();
        [
            &b"FORM"[..],
            &be::<u32>(&[all]),
            b"AIFFCOMM",
            &be::<u32>(&[18]),
            &common,
            b"SSND",
            &be::<u32>(&[size, 0, 0]),
            &[0; 32],
        ]
        .concat()
    };
    let comments = |count: u32, len: u32| words(&[0, count, len]);
    let points = words(&[all, 0, 0, 0, 0, 0, 0]);
    defuse(
        "",
        vec![
            Bomb::harmless("length.wav", wav(1, 2, 44100, 4, 16, &[(b"data", all, &data)])),
            Bomb::refused("channels.wav", wav(1, u16::MAX, all, u16::MAX, u16::MAX, &[(b"data", all, &data)]), ""),
            Bomb::harmless("rate.wav", wav(3, 1, all, 4, 32, &[(b"data", all, &data)])),
            Bomb::harmless("align.wav", wav(1, 1, 8000, 0, 8, &[(b"data", 64, &data)])),
            Bomb::harmless(
                "adpcm.wav",
                wav(2, 2, 44100, u16::MAX, 4, &[(b"fact", 4, &words(&[all])), (b"data", all, &data)]),
            ),
            Bomb::harmless("cues.wav", wav(1, 1, 8000, 1, 8, &[(b"cue ", all, &points), (b"data", 64, &data)])),
            Bomb::refused("frames.flac", flac(&[]), ""),
            Bomb::refused("picture.flac", flac(&[(6, 0xff_ffff, &be::<u32>(&[3, all, all]))]), ""),
            Bomb::refused("comments.flac", flac(&[(4, 12, &comments(all, all))]), ""),
            Bomb::refused("seek.flac", flac(&[(3, 0xff_fff0, &[0; 18])]), ""),
            Bomb::refused("comments.ogg", vorbis(&comments(all, all), &[0xff; 200]), ""),
            Bomb::refused("books.ogg", vorbis(&comments(0, 0), &[&[0xff][..], b"BCV", &[0xff; 240]].concat()), ""),
            Bomb::refused("position.opus", opus(2, u64::MAX >> 1), ""),
            Bomb::refused("channels.opus", opus(255, 960), ""),
            Bomb::harmless("count.mp3", mp3(all)),
            Bomb::harmless("tag.mp3", id3([0x7f; 4])),
            Bomb::harmless("bad.mp3", id3([0xff; 4])),
            Bomb::refused("tables.m4a", mp4(all), ""),
            Bomb::refused("samples.m4a", mp4(0x0fff_ffff), ""),
            Bomb::refused("boxes.m4a", boxes(100_000), ""),
            Bomb::refused("frames.aiff", aiff(2, all, 16, all), ""),
            Bomb::refused("channels.aiff", aiff(u16::MAX, all, u16::MAX, all), ""),
        ],
    );
    defuse(
        "[\"*\"]\nsound.store = \"pcm\"\nsound.rate = 192000\n",
        vec![
            Bomb::refused("frames.flac", flac(&[]), ""),
            // One sample a second would become 192,000.
            Bomb::refused(
                "slow.wav",
                wav(1, 1, 1, 1, 8, &[(b"data", 4096, &[9; 4096])]),
                "is at 1 Hz, and sounds from 4000 to 768000 Hz are resampled",
            ),
            Bomb {
                memory: 64,
                ..Bomb::refused(
                    "long.wav",
                    wav(1, 1, 4000, 1, 8, &[(b"data", 6 << 20, &vec![9; 6 << 20])]),
                    "is too long: at 192 kHz",
                )
            },
            Bomb::refused(
                "odd.wav",
                wav(1, 1, 767_999, 1, 8, &[(b"data", 1 << 20, &vec![9; 1 << 20])]),
                "is at 767999 Hz, which is not",
            ),
        ],
    );
}
