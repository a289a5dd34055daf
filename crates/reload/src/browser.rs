//! A connection of a page: its WebSocket calls back on the event loop, and what it brings waits for the next frame.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use js_sys::{ArrayBuffer, Reflect, Uint8Array};
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{BinaryType, CloseEvent, Crypto, MessageEvent, WebSocket};

use crate::exchange::{Exchange, Signal, Signals, Step};
use crate::server::Place;

/// Returns the seconds since some moment.
pub(crate) fn now() -> f64 {
    js_sys::Date::now() / 1000.0
}

/// Returns bytes that nobody can guess.
pub(crate) fn random<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    let crypto = Reflect::get(&js_sys::global(), &JsValue::from_str("crypto")).expect("a page or worker has it");
    let crypto: Crypto = crypto.unchecked_into();
    crypto.get_random_values_with_u8_array(&mut bytes).expect("a browser has random numbers");
    bytes
}

/// What follows `#` in the address of the page.
pub(crate) fn fragment() -> Option<String> {
    web_sys::window()?.location().hash().ok()
}

pub(crate) struct Connection {
    place: String,
    /// Until when the next message has to arrive; see [`now`].
    ends_at: Rc<Cell<f64>>,
    signals: Rc<RefCell<Signals>>,
    socket: Option<WebSocket>,
    // The socket calls them.
    _message: Closure<dyn FnMut(MessageEvent)>,
    _close: Closure<dyn FnMut(CloseEvent)>,
}

impl Connection {
    pub(crate) fn start(place: Place, mut exchange: Exchange) -> Self {
        let Place::Address(at) = place else { unreachable!("pages cannot look for a name") };
        let signals: Rc<RefCell<Signals>> = Rc::default();
        let ends_at = Rc::new(Cell::new(now() + exchange.patience()));
        let opened = WebSocket::new(&format!("ws://{at}/"));
        let (of_message, of_close) = (Rc::clone(&signals), Rc::clone(&signals));
        let (of_socket, place) = (opened.clone().ok(), at.clone());
        let heard = Rc::clone(&ends_at);
        let message = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
            let Some(socket) = &of_socket else { return };
            let Ok(buffer) = event.data().dyn_into::<ArrayBuffer>() else { return };
            // The length comes first: a server without the token must not fill the memory of the game.
            let length = buffer.byte_length() as usize;
            let step = exchange.admit(length).and_then(|()| exchange.take(&Uint8Array::new(&buffer).to_vec()));
            heard.set(now() + exchange.patience());
            let signal = match step {
                Ok(Step::Nothing) => return,
                Ok(Step::Answer(answer)) => match socket.send_with_u8_array(&answer) {
                    Ok(()) => return,
                    Err(_) => Signal::Ended(format!("{place} has ended the connection")),
                },
                Ok(Step::Signal(Signal::Ended(why))) => Signal::Ended(format!("{place}: {why}")),
                Ok(Step::Signal(signal)) => signal,
                Err(error) => {
                    let _ = socket.close();
                    Signal::Ended(format!("{place}: {error}"))
                }
            };
            of_message.borrow_mut().push(signal);
        });
        let place = at.clone();
        let close = Closure::<dyn FnMut(CloseEvent)>::new(move |event: CloseEvent| {
            // Browsers do not tell a page why it cannot connect.
            let why = if event.was_clean() {
                "has ended the connection"
            } else {
                "cannot be reached, or the connection broke"
            };
            of_close.borrow_mut().push(Signal::Ended(format!("{place} {why}")));
        });
        let socket = match opened {
            Ok(socket) => {
                socket.set_binary_type(BinaryType::Arraybuffer);
                socket.set_onmessage(Some(message.as_ref().unchecked_ref()));
                socket.set_onclose(Some(close.as_ref().unchecked_ref()));
                Some(socket)
            }
            Err(_) => {
                let why = "the browser does not let this page connect; a page over https may only connect to 127.0.0.1";
                signals.borrow_mut().push(Signal::Ended(format!("{at}: {why}")));
                None
            }
        };
        Self { place: at, ends_at, signals, socket, _message: message, _close: close }
    }

    pub(crate) fn next(&mut self) -> Option<Signal> {
        let next = self.signals.borrow_mut().next();
        // Browsers may take minutes to notice that a connection broke silently, and a page cannot see pings.
        next.or_else(|| (now() > self.ends_at.get()).then(|| Signal::Ended(format!("{}: no answer", self.place))))
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        if let Some(socket) = &self.socket {
            socket.set_onmessage(None);
            socket.set_onclose(None);
            let _ = socket.close();
        }
    }
}
