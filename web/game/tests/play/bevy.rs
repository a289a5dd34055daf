//! The example in Bevy, whose title is drawn before the rest of the pack is here.

use super::shipped::{in_bevy, root};
use super::{FRONT, colours, command, in_each_browser, picture, ranges, until_loaded};

#[test]
fn a_game_in_bevy_draws_its_title_before_it_reads_the_rest() {
    in_each_browser(|browser| {
        let (server, profile) = (in_bevy().serve(), tempfile::tempdir().unwrap());
        let pack = in_bevy().pack().len() as u64;
        let read = |ranges: &[std::ops::Range<u64>]| ranges.iter().map(|range| range.end - range.start).sum::<u64>();
        {
            let _browser = browser.open(profile.path(), &server.url("/index.html"));
            until_loaded(&server, "loaded interface");
            let first = ranges(&server.take_requests());
            let title = picture(&server);
            let file = root().join("target/web/bevy-title.png");
            title.save(&file).unwrap();
            assert!(colours(&title) > 1000, "{} colours: see {}", colours(&title), file.display());
            assert_eq!(first[0], FRONT);
            assert!(read(&first) < pack / 2, "{} of {pack} bytes before the title", read(&first));
            // Bevy asks for one asset after the other; those that are beside each other in the pack arrive together.
            assert!(first.len() < 20, "{first:?}");
            command(&server, "enter");
            until_loaded(&server, "loaded flight");
            assert!(picture(&server) != title, "the clouds are drawn");
        }
        let _browser = browser.open(profile.path(), &server.url("/index.html"));
        until_loaded(&server, "loaded interface");
        let again = ranges(&server.take_requests());
        assert_eq!(again, [FRONT], "{browser:?} keeps what was read");
    });
}
