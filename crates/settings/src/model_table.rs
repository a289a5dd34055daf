//! The settings of models, one row each; [`super::table`] explains the rows.

/// Settings of models.
macro_rules! model_settings {
    ($with:ident $($arg:tt)*) => {
        $with! {
            $($arg)*
            /// Settings of models. They apply to primitives of triangles; `model.scale` and the formats to all.
            [ModelSettings ModelValues MODEL_ROWS model]

            /// What primitives without normals get: none ("keep"), the normal of each triangle ("flat", as glTF asks of programs that draw
            /// such a file), or averages of the triangles around each position ("smooth"). Normals of the file stay.
            normals: NormalMode as model_normals(NormalMode, same) "model.normals" = NormalMode::Keep, "\"keep\"",
                OneOf::<NormalMode>::ANY, Import;

            /// Whether primitives with normals and texture coordinates but without tangents get the tangents of MikkTSpace ("generate"), for
            /// which normal maps are made. Tangents of the file stay.
            tangents: TangentMode as model_tangents(TangentMode, same) "model.tangents" = TangentMode::Keep, "\"keep\"",
                OneOf::<TangentMode>::ANY, Import;

            /// Scale the model by this factor: positions, translations of nodes and animations, morph targets, skins, cameras, and the
            /// ranges of lights.
            scale: f32 as model_scale(f32, same) "model.scale" = 1.0, "1",
                Number(1e-6..=1e6, "times"), Import;

            /// Order triangles and vertices so that a GPU draws them faster: triangles that share vertices follow one another, outer ones
            /// come before inner ones, and vertices are stored in the order of their first use. Vertices without triangle are left out.
            optimize: bool as model_optimize(bool, same) "model.optimize" = false, "false",
                Flag, Import;

            /// Levels of detail: for each share of the triangles an index list with that many or fewer, made by collapsing edges.
            /// `Primitive::lods` has them with their errors.
            lods: Vec<f32> as model_lods(impl Into<Vec<f32>>, same) "model.lods" = Vec::<f32>::new(), "none",
                OneOrMore(Number(0.001..=0.999, "of the triangles")), Import;

            /// The most that a level of detail may differ, as a part of the longest edge of the primitive's box. Levels that would differ more
            /// have more triangles.
            lod_error: f32 as model_lod_error(f32, same) "model.lod_error" = 0.05, "0.05",
                Number(0.0..=1.0, "of the size"), Import;

            /// Group neighbouring triangles into meshlets with bounds, for mesh shaders and to leave out what is not seen: of this size, of 64 vertices
            /// and 124 triangles (true), or not at all. `Primitive::meshlets` has them.
            meshlets: Option<MeshletSize> as model_meshlets(impl Into<OrNone<MeshletSize>>, or_none) "model.meshlets" = None, "false",
                OrFalse(Meshlets), Import;

            /// The format of positions. "f16" has 11 significant bits; "unorm16" has 65,536 steps from one end of the mesh to the other, on
            /// each axis. Both have a fourth number, 1.
            positions: PositionFormat as model_positions(PositionFormat, same) "model.positions" = PositionFormat::F32, "\"f32\"",
                OneOf::<PositionFormat>::ANY, Import;

            /// The format of normals and tangents. In the short ones normals have a fourth number, 0.
            normal_format: NormalFormat as model_normal_format(NormalFormat, same) "model.normal_format" = NormalFormat::F32, "\"f32\"",
                OneOf::<NormalFormat>::ANY, Import;

            /// The format of texture coordinates. If not all of a primitive are from 0 to 1, they stay "f32" with "unorm16".
            tex_coord_format: TexCoordFormat as model_tex_coord_format(TexCoordFormat, same) "model.tex_coord_format" = TexCoordFormat::F32, "\"f32\"",
                OneOf::<TexCoordFormat>::ANY, Import;

            /// The format of the weights of joints. The weights of a vertex add up to exactly 1 in the short ones, if they did so before.
            weight_format: WeightFormat as model_weight_format(WeightFormat, same) "model.weight_format" = WeightFormat::F32, "\"f32\"",
                OneOf::<WeightFormat>::ANY, Import;

            /// Give each mesh shapes for physics, with the feature "collision" of rres-build: its convex hull ("hull"), convex parts that fill it
            /// ("parts"), its triangles ("triangles"), or none (false). A table limits them: the most vertices of a solid (64) and the most parts of a
            /// mesh (16). `Model::mesh_collision_shapes` has them. See models.md.
            collision: Option<Collision> as model_collision(impl Into<OrNone<Collision>>, or_none) "model.collision" = None, "false",
                OrFalse(Collisions), Import;

            /// Store animations in fewer bytes: fewer keys and shorter numbers. This is the most that any vertex, joint or other node may be from
            /// where it was, in the space of the model, whose unit is the metre; or keep every key (false). The bound is checked on the result.
            animation_error: Option<Length> as model_animation_error(impl Into<OrNone<Length>>, or_none) "model.animation_error" = None, "false",
                OrFalse(Lengths(1e-6..=1e3, "0.001 mm to 1000 m")), Import;
        }
    };
}

pub(crate) use model_settings;
