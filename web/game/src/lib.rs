//! The tests of this package play the example game in browsers.
