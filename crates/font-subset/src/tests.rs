//! Tests of whole fonts.
