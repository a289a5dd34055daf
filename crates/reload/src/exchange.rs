//! The game's side of the messages, whatever carries them.

use std::collections::VecDeque;

use rres_protocol::network::{Error, Joining, MAX_HANDSHAKE, MAX_NEWS, News, Session, Token, Welcome, join};

/// The server sends something every ten seconds. So long it may be silent, in seconds.
const SILENCE: f64 = 30.0;
/// How many bytes arrive in a second on the slowest network.
const SLOWEST: f64 = 16.0 * 1024.0;

/// The game's side of one connection.
#[derive(Debug)]
pub(crate) struct Exchange {
    token: Token,
    /// Random bytes of this connection.
    nonce: [u8; 32],
    packs: Vec<u32>,
    state: State,
    /// How many seconds the next message may take.
    patience: f64,
}

#[derive(Debug)]
enum State {
    /// Waits for the server's hello.
    Start,
    /// Has asked to join.
    Joining(Joining),
    Following(Session),
    Ended,
}

/// What a message means.
#[derive(Debug)]
pub(crate) enum Step {
    /// The answer to send.
    Answer(Vec<u8>),
    Signal(Signal),
    /// The server is connected, and has nothing new.
    Nothing,
}

/// What the game has to know of a connection.
#[derive(Debug)]
pub(crate) enum Signal {
    Following,
    News(News),
    /// The connection has ended, or there was none.
    Ended(String),
}

/// What waits for the next frame. A game that draws none for a while takes only what is new.
#[derive(Debug, Default)]
pub(crate) struct Signals(VecDeque<Signal>);

impl Signals {
    /// The most messages that wait, besides assets.
    const MOST: usize = 16;

    pub(crate) fn push(&mut self, signal: Signal) {
        if let Signal::News(News::Assets(_)) = signal {
            self.0.retain(|waiting| !matches!(waiting, Signal::News(_)));
        }
        if self.0.len() >= Self::MOST {
            self.0.pop_front();
        }
        self.0.push_back(signal);
    }

    pub(crate) fn next(&mut self) -> Option<Signal> {
        self.0.pop_front()
    }
}

impl Exchange {
    pub(crate) fn new(token: Token, nonce: [u8; 32], packs: Vec<u32>) -> Self {
        Self { token, nonce, packs, state: State::Start, patience: SILENCE }
    }

    #[cfg_attr(target_family = "wasm", allow(dead_code))]
    pub(crate) fn token(&self) -> &Token {
        &self.token
    }

    /// Returns how many seconds from the last message on the next one may take. After that the connection counts as broken, since one that
    /// breaks silently does not say so.
    #[cfg_attr(not(target_family = "wasm"), allow(dead_code))]
    pub(crate) fn patience(&self) -> f64 {
        self.patience
    }

    /// Returns the most bytes that the next message may have. Until both sides have proved the token, nobody can fill the memory of the game.
    pub(crate) fn limit(&self) -> usize {
        match self.state {
            State::Start | State::Joining(_) | State::Ended => MAX_HANDSHAKE,
            // What the server adds to a pack is far less than a kilobyte.
            State::Following(_) => MAX_NEWS + (1 << 10),
        }
    }

    /// Refuses a message of this length if it is too long. Comes before [`Self::take`] where the message would have to be copied for it.
    pub(crate) fn admit(&mut self, length: usize) -> Result<(), Error> {
        if length <= self.limit() {
            return Ok(());
        }
        match std::mem::replace(&mut self.state, State::Ended) {
            State::Start | State::Joining(_) => Err(Error::NoServer),
            State::Following(_) | State::Ended => Err(Error::Message),
        }
    }

    /// Takes a message of the server. After an error, and after [`Signal::Ended`], the connection is of no use.
    pub(crate) fn take(&mut self, message: &[u8]) -> Result<Step, Error> {
        self.admit(message.len())?;
        match std::mem::replace(&mut self.state, State::Ended) {
            State::Start => {
                let (joining, answer) = join(&self.token, self.nonce, message, &self.packs)?;
                self.state = State::Joining(joining);
                Ok(Step::Answer(answer))
            }
            State::Joining(joining) => match joining.read(message)? {
                Welcome::Session(session) => {
                    self.state = State::Following(session);
                    Ok(Step::Signal(Signal::Following))
                }
                Welcome::Refused(why) => Ok(Step::Signal(Signal::Ended(why))),
            },
            State::Following(mut session) => {
                let news = session.open(message)?;
                self.state = State::Following(session);
                let News::Alive { coming } = news else {
                    self.patience = SILENCE;
                    return Ok(Step::Signal(Signal::News(news)));
                };
                self.patience = SILENCE + coming as f64 / SLOWEST;
                Ok(Step::Nothing)
            }
            State::Ended => Err(Error::Message),
        }
    }
}

#[cfg(test)]
mod tests {
    use rres_protocol::network::{Greeting, greet};

    use super::*;

    #[test]
    fn a_server_that_proves_nothing_is_left() {
        let token = || Token::new("dgs3-vk3w-x4qa-7t5m").unwrap();
        let (greeting, hello) = greet([1; 32]);
        let mut exchange = Exchange::new(token(), [2; 32], vec![3]);
        let Ok(Step::Answer(joined)) = exchange.take(&hello) else { panic!() };
        assert_eq!(exchange.take(&[1; 33]).unwrap_err(), Error::WrongToken);
        let (_, welcome, _) = greeting.welcome(&token(), &joined).unwrap();
        assert_eq!(exchange.take(&welcome).unwrap_err(), Error::Message, "it is too late");

        let mut exchange = Exchange::new(token(), [2; 32], vec![3]);
        assert!(matches!(exchange.take(&hello), Ok(Step::Answer(_))));
        let refused = exchange.take(&Greeting::refusal("no"));
        assert!(matches!(&refused, Ok(Step::Signal(Signal::Ended(why))) if why == "no"), "{refused:?}");
    }

    #[test]
    fn no_message_is_large_until_the_token_is_proved() {
        let token = || Token::new("dgs3-vk3w-x4qa-7t5m").unwrap();
        let (greeting, hello) = greet([1; 32]);
        let mut exchange = Exchange::new(token(), [2; 32], vec![3]);
        assert!(exchange.admit(MAX_HANDSHAKE).is_ok());
        let Ok(Step::Answer(joined)) = exchange.take(&hello) else { panic!() };
        assert!(exchange.admit(MAX_HANDSHAKE).is_ok());
        let (mut session, welcome, _) = greeting.welcome(&token(), &joined).unwrap();
        assert!(matches!(exchange.take(&welcome), Ok(Step::Signal(Signal::Following))));
        assert!(exchange.admit(MAX_NEWS).is_ok());
        assert!(matches!(exchange.take(&session.seal(&News::Alive { coming: 160 << 10 })), Ok(Step::Nothing)));
        assert_eq!(exchange.patience(), 40.0, "a page does not see how much of the next message has arrived");
        let news = session.seal(&News::Assets(vec![7; 2 * MAX_HANDSHAKE]));
        assert!(matches!(exchange.take(&news), Ok(Step::Signal(Signal::News(News::Assets(_))))));
        assert_eq!(exchange.patience(), 30.0);
        assert_eq!(exchange.admit(2 * MAX_NEWS), Err(Error::Message));

        let mut exchange = Exchange::new(token(), [2; 32], vec![3]);
        assert_eq!(exchange.admit(MAX_HANDSHAKE + 1), Err(Error::NoServer));
        assert_eq!(exchange.take(&hello).unwrap_err(), Error::Message, "the connection is of no use any more");
    }

    #[test]
    fn only_the_newest_assets_wait() {
        let mut signals = Signals::default();
        signals.push(Signal::Following);
        for number in 0..100 {
            signals.push(Signal::News(News::Assets(vec![number])));
            signals.push(Signal::News(News::Fault("a fault".to_owned())));
        }
        signals.push(Signal::News(News::Assets(vec![100])));
        let waiting: Vec<Signal> = std::iter::from_fn(|| signals.next()).collect();
        let [Signal::Following, Signal::News(News::Assets(pack))] = &waiting[..] else { panic!("{waiting:?}") };
        assert_eq!(pack, &[100]);
        (0..100).for_each(|_| signals.push(Signal::News(News::Fault("a fault".to_owned()))));
        assert_eq!(std::iter::from_fn(|| signals.next()).count(), Signals::MOST);
    }
}
