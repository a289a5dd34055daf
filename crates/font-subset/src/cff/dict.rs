//! A DICT: operators with their operands, read and written.

use crate::SubsetError;
use crate::bytes::Bytes;

/// Operators with their operands, in the order of the file.
#[derive(Clone)]
pub(super) struct Dict<'a> {
    entries: Vec<(u16, Operands<'a>)>,
}

#[derive(Clone)]
enum Operands<'a> {
    /// As they are in the file, with the numbers among them that are whole.
    Read(&'a [u8], Vec<Option<i32>>),
    /// Numbers that were set.
    Set(Vec<usize>),
}

impl<'a> Dict<'a> {
    pub(super) fn read(bytes: Bytes<'a>) -> Result<Self, SubsetError> {
        let mut entries = Vec::new();
        let (mut at, mut start) = (0, 0);
        let mut numbers = Vec::new();
        while at < bytes.len() {
            let first = bytes.u8(at)?;
            match first {
                // 22 to 24 are operators of version 2.
                0..=24 => {
                    let operands = bytes.slice(start, at - start)?.0;
                    let operator = match first {
                        12 => u16::from(bytes.u8(at + 1)?) << 8 | 12,
                        _ => u16::from(first),
                    };
                    at += if first == 12 { 2 } else { 1 };
                    entries.push((operator, Operands::Read(operands, std::mem::take(&mut numbers))));
                    start = at;
                }
                28 => {
                    numbers.push(Some(i32::from(i16::from_be_bytes(bytes.array(at + 1)?))));
                    at += 3;
                }
                29 => {
                    numbers.push(Some(i32::from_be_bytes(bytes.array(at + 1)?)));
                    at += 5;
                }
                30 => {
                    // Digits of four bits each, to the first one that is 15.
                    at += 1;
                    while !matches!(bytes.u8(at)?, byte if byte & 15 == 15 || byte >> 4 == 15) {
                        at += 1;
                    }
                    at += 1;
                    numbers.push(None);
                }
                32..=246 => {
                    numbers.push(Some(i32::from(first) - 139));
                    at += 1;
                }
                247..=254 => {
                    let low = i32::from(bytes.u8(at + 1)?);
                    let number = match first {
                        247..=250 => (i32::from(first) - 247) * 256 + low + 108,
                        _ => -(i32::from(first) - 251) * 256 - low - 108,
                    };
                    numbers.push(Some(number));
                    at += 2;
                }
                _ => return Err(bytes.fault("has a dictionary with an unknown operator")),
            }
        }
        Ok(Self { entries })
    }

    fn find(&self, operator: u16) -> Option<&Operands<'a>> {
        self.entries.iter().find(|entry| entry.0 == operator).map(|(_, operands)| operands)
    }

    /// The operands of an operator that has so many whole numbers, none below 0.
    pub(super) fn numbers<const N: usize>(&self, operator: u16) -> Option<[usize; N]> {
        let numbers: Vec<usize> = match self.find(operator)? {
            Operands::Read(_, numbers) => numbers
                .iter()
                .map(|number| number.and_then(|number| usize::try_from(number).ok()))
                .collect::<Option<_>>()?,
            Operands::Set(numbers) => numbers.clone(),
        };
        numbers.try_into().ok()
    }

    pub(super) fn number(&self, operator: u16) -> Option<usize> {
        self.numbers(operator).map(|[number]| number)
    }

    pub(super) fn remove(&mut self, operator: u16) {
        self.entries.retain(|entry| entry.0 != operator);
    }

    /// Sets the operands of an operator; each takes five bytes, whatever it is.
    pub(super) fn set(&mut self, operator: u16, numbers: &[usize]) {
        let operands = Operands::Set(numbers.to_vec());
        match self.entries.iter_mut().find(|entry| entry.0 == operator) {
            Some(entry) => entry.1 = operands,
            None => self.entries.push((operator, operands)),
        }
    }

    /// The size that it is written with.
    pub(super) fn size(&self) -> usize {
        self.write().len()
    }

    pub(super) fn write(&self) -> Vec<u8> {
        let mut out = Vec::new();
        for (operator, operands) in &self.entries {
            match operands {
                Operands::Read(bytes, _) => out.extend_from_slice(bytes),
                Operands::Set(numbers) => {
                    for number in numbers {
                        out.push(29);
                        out.extend_from_slice(&i32::try_from(*number).unwrap_or(i32::MAX).to_be_bytes());
                    }
                }
            }
            out.push(*operator as u8);
            if operator & 0xff == 12 {
                out.push((operator >> 8) as u8);
            }
        }
        out
    }
}
