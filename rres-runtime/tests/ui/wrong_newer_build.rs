// The first line of a module that a newer rres-build generated.
mod assets {
    const _: () = ::rres_runtime::__private::check_generated_code(u32::MAX);
}

fn main() {}
