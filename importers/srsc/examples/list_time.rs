//! How long listing an archive of 20,000 records takes, compared with reading its bytes. The ratio is printed; on one machine, in one run.

use std::hint::black_box;
use std::time::{Duration, Instant};

use rres_import_srsc::write::{RecordBytes, archive, record};
use rres_import_srsc::{Archive, Checks, Record, Text};

/// The shortest of several runs.
fn shortest(mut run: impl FnMut()) -> Duration {
    let time = |_| {
        let start = Instant::now();
        run();
        start.elapsed()
    };
    (0..50).map(time).min().unwrap_or_default()
}

#[allow(clippy::print_stdout, reason = "a measurement is printed")]
fn main() {
    let body = |id: u16| record(&Record::Text(Text::new([id as u8; 2000].to_vec())));
    let records: Vec<RecordBytes> = (0..20_000).map(|id| RecordBytes::new(0x401, id, 0, body(id))).collect();
    let file = std::env::temp_dir().join(format!("rres-srsc-list-{}", std::process::id()));
    std::fs::write(&file, archive(&records)).expect("a temporary file");
    let read = shortest(|| drop(black_box(std::fs::read(&file))));
    let listed = shortest(|| {
        let bytes = std::fs::read(&file).unwrap_or_default();
        let mut checks = Checks::default();
        let archive = Archive::parse("a", &bytes, &mut checks).expect("a whole archive");
        let entries = archive.records().filter(|record| record.parse(&mut checks).is_ok());
        assert_eq!(black_box(entries.count()), 20_000);
    });
    std::fs::remove_file(&file).unwrap_or_default();
    println!("read {read:?}, read and listed {listed:?}, ratio {:.2}", listed.as_secs_f64() / read.as_secs_f64());
}
