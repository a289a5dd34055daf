//! Both sides of a reload over a network, with a message that was changed on its way, and with any bytes in the place of each. A game takes no
//! news but what the server sent, in that order.
#![no_main]

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use rres_protocol::network::{News, Session, Token, Welcome, finding, greet, join};

/// What happens to one message.
#[derive(Arbitrary, Debug)]
enum Change<'a> {
    Flip(u16),
    Cut(u16),
    Append(&'a [u8]),
    Replace(&'a [u8]),
}

#[derive(Arbitrary, Debug)]
struct Input<'a> {
    packs: Vec<u32>,
    news: Vec<Result<Vec<u8>, String>>,
    /// The message that is changed: hello, join, welcome, then each of the news.
    changed: u8,
    change: Change<'a>,
    /// The order in which the news arrive.
    order: Vec<u8>,
    /// The name of the server, and what is asked for.
    names: [&'a str; 2],
}

impl Input<'_> {
    fn on_its_way(&self, number: usize, mut message: Vec<u8>) -> Vec<u8> {
        if number != usize::from(self.changed) {
            return message;
        }
        match self.change {
            Change::Flip(bit) => {
                if let Some(byte) = message.get_mut(usize::from(bit / 8)) {
                    *byte ^= 1 << (bit % 8);
                }
            }
            Change::Cut(len) => message.truncate(len.into()),
            Change::Append(bytes) => message.extend(bytes),
            Change::Replace(bytes) => message = bytes.to_vec(),
        }
        message
    }

    /// Both ends of a connection, if both sides believe each other.
    fn connect(&self, token: &Token) -> Option<(Session, Session)> {
        let (greeting, hello) = greet([1; 32]);
        let hello = self.on_its_way(0, hello);
        let (joining, joined) = join(token, [2; 32], &hello, &self.packs).ok()?;
        let arrived = self.on_its_way(1, joined.clone());
        let (server, welcome, packs) = greeting.welcome(token, &arrived).ok()?;
        assert!(arrived == joined && self.packs.starts_with(&packs), "{self:?}");
        let Welcome::Session(game) = joining.read(&self.on_its_way(2, welcome)).ok()? else { return None };
        Some((server, game))
    }
}

fuzz_target!(|input: Input<'_>| {
    let token = Token::new("dgs3-vk3w-x4qa-7t5m").unwrap();
    if let Some((mut server, mut game)) = input.connect(&token) {
        let news = input.news.iter().map(|news| match news {
            Ok(pack) => News::Assets(pack.clone()),
            Err(fault) => News::Fault(fault.clone()),
        });
        let sent: Vec<(News, Vec<u8>)> = news.map(|news| (news.clone(), server.seal(&news))).collect();
        let mut next = 0;
        for at in input.order.iter().map(|at| usize::from(*at)) {
            let Some((_, message)) = sent.get(at) else { continue };
            // After an error the connection is of no use.
            let Ok(news) = game.open(&input.on_its_way(3 + at, message.clone())) else { break };
            assert!(at == next && news == sent[at].0, "{input:?}");
            next += 1;
        }
    }
    let [name, asked] = input.names;
    if let Some(question) = finding::question([3; 16], asked) {
        let answer = finding::answer(&token, &question, name, 7313);
        assert_eq!(answer.is_some(), name == asked.trim_end_matches('\0') && !name.is_empty(), "{input:?}");
        let arrived = answer.map(|answer| input.on_its_way(0, answer));
        let port = arrived.and_then(|answer| finding::port(&token, &answer, [3; 16]));
        assert!(port.is_none_or(|port| port == 7313), "{input:?}");
    }
    if let Change::Append(bytes) | Change::Replace(bytes) = input.change {
        let _ = finding::answer(&token, bytes, name, 7313);
        assert_eq!(finding::port(&token, bytes, [3; 16]), None);
    }
});
