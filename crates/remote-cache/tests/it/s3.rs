//! Object storage as it is sold, by another program that speaks its protocol.

use std::thread;

use crate::{reader, writer};

/// Needs a server: `RRES_TEST_S3`, the address of its bucket `team`, and the variables `AWS_…` that reach it.
#[test]
#[ignore = "needs a server that speaks the protocol of S3: .ci/nightly starts one"]
fn machines_share_a_bucket() {
    let address = std::env::var("RRES_TEST_S3").expect("RRES_TEST_S3 is the address of a bucket");
    let (first, second) = (writer(&address), reader(&address));
    first.write_files(500);
    second.write_files(500);
    let (pack, of_first) = first.build();
    let of_first = of_first.unwrap();
    assert_eq!((of_first.fault.as_deref(), of_first.stored.assets), (None, 500), "{of_first}");
    let (same, of_second) = second.build();
    let of_second = of_second.unwrap();
    assert!(pack == same);
    assert_eq!((of_second.fault.as_deref(), of_second.fetched), (None, 500), "{of_second}");

    // Writers that add at the same time all are heard.
    let machines: Vec<_> = (0..6)
        .map(|number| {
            let machine = writer(&address);
            machine.write("own.bin", format!("of machine {number}"));
            machine
        })
        .collect();
    thread::scope(|scope| machines.iter().for_each(|machine| drop(scope.spawn(|| machine.build()))));
    for (number, _) in machines.iter().enumerate() {
        let other = reader(&address);
        other.write("own.bin", format!("of machine {number}"));
        let used = other.build().1.unwrap();
        assert_eq!((used.fetched, used.fault.as_deref()), (1, None), "machine {number}: {used}");
    }
}
