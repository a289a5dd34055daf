//! What a game calls once a frame.

use std::collections::VecDeque;
use std::fmt;

use rres_protocol::network::News;
use rres_runtime::{MountId, Store};

use crate::event::Event;
use crate::exchange::{Exchange, Signal};
use crate::server::Server;
use crate::system::{Connection, now, random};

/// The first wait after a connection was lost, and the longest one, in seconds.
const WAIT: f64 = 1.0;
const LONGEST_WAIT: f64 = 10.0;

/// Mounts what a server sends. Call [`update`](Self::update) once a frame.
pub struct Follower {
    store: Store,
    server: Server,
    connection: Option<Connection>,
    /// When it is tried again, and how long the wait after that is.
    next_try: f64,
    wait: f64,
    mounted: Option<MountId>,
    /// Whether the server has told of a fault since it sent assets.
    has_fault: bool,
    /// Why the game did not follow at last.
    lost: Option<String>,
    events: VecDeque<Event>,
}

impl Follower {
    /// Follows a server, which is looked for from now on. `store` has the game's own packs.
    pub fn new(store: &Store, server: Server) -> Self {
        Self {
            store: store.clone(),
            server,
            connection: None,
            next_try: now(),
            wait: WAIT,
            mounted: None,
            has_fault: false,
            lost: None,
            events: VecDeque::new(),
        }
    }

    /// Takes what the server has sent meanwhile, and returns the next event. Call it until it returns `None`, once a frame: values change only
    /// here. It never waits for the network.
    pub fn update(&mut self) -> Option<Event> {
        if self.events.is_empty() {
            self.connect();
            while let Some(signal) = self.connection.as_mut().and_then(Connection::next) {
                self.take(signal);
            }
        }
        self.events.pop_front()
    }

    fn connect(&mut self) {
        if self.connection.is_some() || now() < self.next_try {
            return;
        }
        let packs = self.store.mounts().checksums();
        let exchange = Exchange::new(self.server.token.clone(), random(), packs);
        self.connection = Some(Connection::start(self.server.place.clone(), exchange));
    }

    fn take(&mut self, signal: Signal) {
        match signal {
            Signal::Following => {
                self.lost = None;
                self.events.push_back(Event::Following);
            }
            Signal::News(News::Assets(pack)) => {
                self.wait = WAIT;
                self.mount(pack);
            }
            Signal::News(News::Fault(text)) => {
                self.has_fault = true;
                self.events.push_back(Event::Fault(text));
            }
            Signal::News(_) => {}
            Signal::Ended(why) => {
                self.connection = None;
                self.next_try = now() + self.wait;
                self.wait = (self.wait * 2.0).min(LONGEST_WAIT);
                if self.lost.as_ref() != Some(&why) {
                    self.lost = Some(why.clone());
                    self.events.push_back(Event::Lost(why));
                }
            }
        }
    }

    fn mount(&mut self, pack: Vec<u8>) {
        if pack.is_empty() {
            let mounted = self.mounted.take();
            if mounted.is_some_and(|mounted| self.store.unmount(mounted)) || std::mem::take(&mut self.has_fault) {
                self.events.push_back(Event::Mounted(0));
            }
            return;
        }
        self.has_fault = false;
        let mount = || {
            let pack = self.server.options.from_bytes(pack)?;
            let count = pack.entries().count();
            let mounted = match self.mounted {
                Some(before) => self.store.replace(before, pack)?,
                None => self.store.mount(pack)?,
            };
            Ok((mounted, count))
        };
        match mount() {
            Ok((mounted, count)) => {
                self.mounted = Some(mounted);
                self.events.push_back(Event::Mounted(count));
            }
            Err(error) => self.events.push_back(Event::Refused(error)),
        }
    }
}

impl fmt::Debug for Follower {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_connected = self.connection.is_some();
        f.debug_struct("Follower")
            .field("server", &self.server)
            .field("is_connected", &is_connected)
            .finish_non_exhaustive()
    }
}
