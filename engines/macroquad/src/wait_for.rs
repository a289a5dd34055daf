//! Awaiting what arrives from a server.

use std::future::poll_fn;
use std::pin::pin;
use std::task::{Context, Waker};

/// Awaits a future that is not one of macroquad's, such as `assets::open_async` or [`Store::load_owned`](rres_runtime::Store::load_owned).
///
/// macroquad polls a game once a frame, and panics if a future wakes it. This function polls the future once a frame, with a waker that does
/// nothing. The game draws nothing while it waits. To draw progress, poll a [`Loading`](rres_runtime::Loading) or an
/// [`OpeningPack`](rres_runtime::OpeningPack) instead.
///
/// ```no_run
/// use rres_macroquad::wait_for;
/// use rres_runtime::{ByteSource, Error, PackOptions, Store};
///
/// async fn open(source: impl ByteSource) -> Result<Store, Error> {
///     let pack = wait_for(PackOptions::default().open_from(source)).await?;
///     Ok(Store::from_packs([pack]))
/// }
/// ```
pub async fn wait_for<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    poll_fn(|_| future.as_mut().poll(&mut Context::from_waker(Waker::noop()))).await
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::task::{Poll, Wake};

    use super::*;

    /// As macroquad's.
    struct Panics;

    impl Wake for Panics {
        fn wake(self: Arc<Self>) {
            panic!("macroquad does not support waking futures");
        }
    }

    #[test]
    fn a_future_is_polled_again_and_wakes_nothing() {
        let mut polls = 0;
        let wakes = poll_fn(|context| {
            context.waker().wake_by_ref();
            polls += 1;
            if polls == 3 { Poll::Ready(7) } else { Poll::Pending }
        });
        let mut waiting = pin!(wait_for(wakes));
        let waker = Waker::from(Arc::new(Panics));
        let mut poll = || waiting.as_mut().poll(&mut Context::from_waker(&waker));
        assert_eq!([poll(), poll(), poll()], [Poll::Pending, Poll::Pending, Poll::Ready(7)]);
    }
}
