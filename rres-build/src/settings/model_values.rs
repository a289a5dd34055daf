//! The values of settings of models.

use super::fingerprint::Fingerprint;
use super::values::{Word, fingerprint_of_word, word_enum, words};

word_enum! {
    /// The normals of primitives that have none.
    #[derive(Default)]
    NormalMode {
        /// None.
        #[default]
        Keep = "keep";
        /// Averages of the triangles around a position.
        Smooth = "smooth";
        /// Those of each triangle.
        Flat = "flat";
    }
}

word_enum! {
    /// The tangents of primitives that have none.
    #[derive(Default)]
    TangentMode {
        /// None.
        #[default]
        Keep = "keep";
        /// Those of MikkTSpace.
        Generate = "generate";
    }
}

word_enum! {
    /// The format of positions.
    #[derive(Default)]
    PositionFormat {
        /// 32-bit floats.
        #[default]
        F32 = "f32";
        /// 16-bit floats.
        F16 = "f16";
        /// Parts of the box of the mesh in 16 bits.
        Unorm16 = "unorm16";
    }
}

word_enum! {
    /// The format of normals and tangents.
    #[derive(Default)]
    NormalFormat {
        /// 32-bit floats.
        #[default]
        F32 = "f32";
        /// From -1 to 1 in 16 bits.
        Snorm16 = "snorm16";
        /// From -1 to 1 in 8 bits.
        Snorm8 = "snorm8";
    }
}

word_enum! {
    /// The format of texture coordinates.
    #[derive(Default)]
    TexCoordFormat {
        /// 32-bit floats.
        #[default]
        F32 = "f32";
        /// 16-bit floats.
        F16 = "f16";
        /// From 0 to 1 in 16 bits.
        Unorm16 = "unorm16";
    }
}

word_enum! {
    /// The format of the weights of joints.
    #[derive(Default)]
    WeightFormat {
        /// 32-bit floats.
        #[default]
        F32 = "f32";
        /// From 0 to 1 in 16 bits.
        Unorm16 = "unorm16";
        /// From 0 to 1 in 8 bits.
        Unorm8 = "unorm8";
    }
}
