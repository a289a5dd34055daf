//! Number spaces that other programs may extend: a newtype with named constants keeps any value, where a Rust `enum`
//! would have to refuse or lose the unknown ones.

/// Declares a newtype over an integer with named values, `name()`, `Display` and `Debug`.
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

            /// The name of the value, or `None` where the format gives it none.
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
