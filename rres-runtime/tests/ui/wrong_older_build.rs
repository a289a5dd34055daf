// The first line of a module that an older rres-build generated.
mod assets {
    const _: () = ::rres_runtime::__private::check_generated_code(0);
}

fn main() {}
