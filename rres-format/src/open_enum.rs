//! Enums that other programs may extend. They are newtypes with named constants, which preserve unknown values; a Rust
//! `enum` would have to reject or lose them.

/// Declares a newtype over an integer from a table of values, numbers and names.
macro_rules! open_enum {
    (
        $(#[$meta:meta])*
        $vis:vis struct $name:ident($int:ty);
        $( $(#[$vmeta:meta])* $value:ident = $number:literal, $text:literal; )*
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
        $vis struct $name(pub $int);

        impl $name {
            $( $(#[$vmeta])* pub const $value: Self = Self($number); )*

            /// Every value that has a name, in numeric order.
            pub const NAMED: &'static [Self] = &[$(Self::$value),*];

            /// Returns the name of the value, or `None` if the format defines none.
            pub const fn name(self) -> Option<&'static str> {
                match self.0 {
                    $( $number => Some($text), )*
                    _ => None,
                }
            }
        }

        impl ::core::fmt::Display for $name {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                match self.name() {
                    Some(name) => f.write_str(name),
                    None => write!(f, "unknown ({})", self.0),
                }
            }
        }

        impl ::core::fmt::Debug for $name {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                ::core::fmt::Display::fmt(self, f)
            }
        }
    };
}

pub(crate) use open_enum;
