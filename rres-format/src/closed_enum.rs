//! Enums that only this project extends: each value has a number in packs and a name in settings and messages.

/// Declares an enum from a table of values, numbers and names.
macro_rules! closed_enum {
    (
        $(#[$meta:meta])*
        $vis:vis enum $enum:ident: $int:ty {
            $( $(#[$value_meta:meta])* $value:ident = $number:literal, $text:literal $(or $old:literal)?; )*
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        #[repr($int)]
        $vis enum $enum {
            $( $(#[$value_meta])* $value = $number, )*
        }

        impl $enum {
            /// Every value, in numeric order.
            pub const ALL: &'static [Self] = &[$(Self::$value),*];

            /// Returns the name used in settings, messages and reports.
            pub const fn name(self) -> &'static str {
                match self {
                    $( Self::$value => $text, )*
                }
            }

            /// Returns the value stored as `number`, or `None` for a number that only newer versions know.
            pub const fn from_number(number: $int) -> Option<Self> {
                match number {
                    $( $number => Some(Self::$value), )*
                    _ => None,
                }
            }

            /// Returns the value called `name`, or once called so; `None` if there is none.
            pub fn from_name(name: &str) -> Option<Self> {
                match name {
                    $( $text $(| $old)? => Some(Self::$value), )*
                    _ => None,
                }
            }
        }

        impl ::core::fmt::Display for $enum {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                f.write_str(self.name())
            }
        }
    };
}

pub(crate) use closed_enum;
