//! The parts of a pack that are here, and who waits for others.
//!
//! A *segment* is what one request brought. Somebody who waits has a *ticket* for some resources; the ticket is settled when all
//! of them are here, with what they are decoded from. From then until its holder lets go of it, its segments stay.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::io;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::{Arc, Mutex, Weak};

use rres_format::index::IndexView;
use rres_format::{Cipher, PackLayout};

use super::byte_source::{ByteSource, Reply};
use super::queue::Queue;
use super::receiver::{Asker, Collected, Receiver};
use super::segments::{SegmentId, Segments};
use crate::bytes::{AssetBytes, Backing};
use crate::error::{Error, ErrorKind, Result};
use crate::pool::Priority;
use crate::source::content::{Arrivals, FetchGuard, Hold, Part, PartSource, Ticket};
use crate::sync::{Signal, lock};

/// How often damaged bytes are fetched again before that is an error.
pub(super) const RETRIES: u8 = 3;

/// The parts of one pack.
pub(super) struct Parts {
    source: Arc<dyn ByteSource>,
    layout: PackLayout,
    /// Everything up to the end of the front index.
    front: AssetBytes,
    /// How many bytes of segments stay although nobody holds them.
    kept: u64,
    state: Mutex<State>,
    me: Weak<Self>,
}

#[derive(Default)]
struct State {
    segments: Segments,
    queue: Queue,
    /// Tickets that are not settled.
    tickets: HashMap<u64, Waiter>,
    /// By the file offset of the resource that they wait for.
    waiting: BTreeMap<u32, Vec<Waiting>>,
    /// Why resources are not here, by file offset.
    failed: BTreeMap<u32, Error>,
    /// Settled tickets whose holder has not let go of them.
    settled: usize,
    /// How many threads wait for a resource.
    blocked: usize,
    next_number: u64,
    /// Whether a thread asks the source for what is in the queue.
    is_asking: bool,
}

/// Who has a ticket that is not settled.
struct Waiter {
    arrivals: Arc<dyn Arrivals>,
    /// What `arrivals` calls the ticket.
    number: usize,
    /// The fetch that the ticket is of.
    fetch: u64,
    /// How many resources are missing.
    missing: usize,
    priority: Priority,
    /// The slots that were looked at.
    seen: Vec<u32>,
    /// The segments that it holds.
    segments: Vec<SegmentId>,
    /// Why a resource cannot be here.
    error: Option<Error>,
}

#[derive(Clone, Copy)]
struct Waiting {
    slot: u32,
    end: u32,
    ticket: u64,
}

/// A ticket with all that it waited for.
struct Settled {
    arrivals: Arc<dyn Arrivals>,
    number: usize,
    segments: Vec<SegmentId>,
    error: Option<Error>,
}

/// The slots that a resource is decoded with, or why it cannot be.
type Checked = Result<Vec<u32>>;

impl Parts {
    pub(super) fn new(source: Arc<dyn ByteSource>, layout: PackLayout, front: AssetBytes, kept: u64) -> Arc<Self> {
        Arc::new_cyclic(|me| Self { source, layout, front, kept, state: Mutex::default(), me: Weak::clone(me) })
    }

    fn index(&self) -> IndexView<'_> {
        self.layout.view(&self.front).index().expect("a pack whose parts are fetched has a front index")
    }

    /// Returns where the resource at `slot` is; an empty range if there is none.
    fn range(&self, slot: u32) -> Range<u32> {
        let stored = self.index().stored_range(slot).unwrap_or_default();
        stored.offset..stored.offset.saturating_add(stored.size)
    }

    /// Checks the resource at `slot` of a part, and returns the slots of the siblings that it is decoded with.
    fn check(&self, part: &Part<'_>, slot: u32) -> Checked {
        self.siblings(part, slot).map_err(|error| self.about(error, slot))
    }

    fn siblings(&self, part: &Part<'_>, slot: u32) -> Checked {
        let (view, index) = (part.view(&self.layout, &self.front), self.index());
        let entry = index.entry(slot)?;
        view.check_entry(slot)?;
        let mut siblings = Vec::new();
        for chunk in view.resource_chunks(view.first_chunk_of(&entry)?, entry.chunk_count) {
            let chunk = chunk?;
            chunk.verify()?;
            if chunk.info.cipher == Cipher::NONE
                && let Some(sibling) = chunk.sibling()?
            {
                siblings.extend(index.find(sibling.resource()));
            }
        }
        Ok(siblings)
    }

    /// Adds the source and the asset to an error.
    fn about(&self, error: Error, slot: u32) -> Error {
        let error = error.with_file(Some(Path::new(&self.source.name())));
        match self.index().entry(slot) {
            Ok(entry) => error.with_asset(entry.path, entry.id),
            Err(_) => error,
        }
    }

    fn begin_fetch(&self, tickets: &[Ticket], priority: Priority, arrivals: &Arc<dyn Arrivals>) -> u64 {
        let mut settled = Vec::new();
        let mut state = lock(&self.state);
        let fetch = state.number();
        let mut missing = Vec::new();
        for ticket in tickets {
            let id = state.number();
            let (arrivals, number, seen, segments) = (Arc::clone(arrivals), ticket.number, Vec::new(), Vec::new());
            // One more until everything was looked at.
            let waiter = Waiter { arrivals, number, fetch, missing: 1, priority, seen, segments, error: None };
            state.tickets.insert(id, waiter);
            ticket.slots.iter().for_each(|slot| self.need(&mut state, id, *slot, &mut missing));
            settled.extend(state.arrived(id));
        }
        state.queue.add(missing, priority);
        drop(state);
        self.settle(settled);
        self.ask();
        fetch
    }

    /// Lets a ticket hold the resource at `slot`, or wait for it.
    fn need(&self, state: &mut State, id: u64, slot: u32, missing: &mut Vec<Range<u32>>) {
        let Some(ticket) = state.tickets.get_mut(&id).filter(|ticket| !ticket.seen.contains(&slot)) else { return };
        ticket.seen.push(slot);
        let range = self.range(slot);
        state.failed.remove(&range.start);
        match self.find(state, slot, &range) {
            Some((segment, siblings)) => {
                state.hold(id, segment);
                siblings.into_iter().for_each(|sibling| self.need(state, id, sibling, missing));
            }
            None => {
                state.tickets.entry(id).and_modify(|ticket| ticket.missing += 1);
                state.waiting.entry(range.start).or_default().push(Waiting { slot, end: range.end, ticket: id });
                // Data that is aligned in the file is then aligned in memory.
                missing.push(range.start & !15..range.end);
            }
        }
    }

    /// Finds a segment with the resource at `slot`, and the slots that it is decoded with.
    fn find(&self, state: &mut State, slot: u32, range: &Range<u32>) -> Option<(SegmentId, Vec<u32>)> {
        let id = state.segments.find(range).or_else(|| state.segments.find_unchecked(range))?;
        let siblings = self.check(&state.segments.part(id), slot).ok()?;
        state.segments.set_checked(id, range.start);
        Some((id, siblings))
    }

    /// Tells the holders of tickets. No lock may be held.
    fn settle(&self, settled: Vec<Settled>) {
        for Settled { arrivals, number, segments, error } in settled {
            let parts = Box::new(Held { parts: Weak::clone(&self.me), segments });
            arrivals.settled(number, Hold { error, parts });
        }
    }

    /// Asks the source for what is in the queue, as long as there is room for the answers.
    fn ask(&self) {
        let Some(me) = self.me.upgrade() else { return };
        let mut state = lock(&self.state);
        // A source may answer at once, from within `read`; the thread that asked then goes on.
        if std::mem::replace(&mut state.is_asking, true) {
            return;
        }
        while state.has_room(self.kept)
            && let Some((id, range, tries)) = state.queue.begin()
        {
            drop(state);
            let range = u64::from(range.start)..u64::from(range.end);
            let collected = Collected::new(range.clone());
            let reply = Reply::new(Receiver { asker: Arc::clone(&me), id, tries, collected });
            // A source that panics drops the reply, which is a failure of this range. The others are still read.
            let _ = catch_unwind(AssertUnwindSafe(|| self.source.read(range, reply)));
            state = lock(&self.state);
        }
        state.is_asking = false;
    }

    /// Takes a segment that has arrived.
    fn take(&self, id: u64, collected: Collected) {
        let start = if collected.is_whole { 0 } else { collected.range.start as u32 };
        let end = collected.range.end.min(collected.pack_len.unwrap_or(u64::MAX));
        let is_short =
            !collected.is_whole && (collected.bytes.len() as u64) < end.saturating_sub(collected.range.start);
        let bytes = AssetBytes::new(Backing::Segment(collected.bytes.into()));
        let end = start.saturating_add(bytes.len() as u32);
        let part = Part { bytes: Cow::Owned(bytes), start };
        // Checking takes long, so other threads should not wait for it.
        let slots: Vec<u32> = lock(&self.state).waiting_in(start..end).map(|waiting| waiting.slot).collect();
        let mut checked: HashMap<u32, Checked> =
            slots.into_iter().map(|slot| (slot, self.check(&part, slot))).collect();
        let mut state = lock(&self.state);
        let Some(request) = state.queue.remove(id) else { return };
        let waiting: Vec<Waiting> = state.waiting_in(request.range.clone()).copied().collect();
        for Waiting { slot, .. } in &waiting {
            checked.entry(*slot).or_insert_with(|| self.check(&part, *slot));
        }
        if request.tries < RETRIES && (is_short || checked.values().any(Result::is_err)) {
            state.queue.again(request);
            drop(state);
            return self.ask();
        }
        let mut settled = Vec::new();
        let mut missing: Vec<(Priority, Vec<Range<u32>>)> = Vec::new();
        let segment = state.segments.insert(start, part.bytes.into_owned());
        for Waiting { slot, ticket, .. } in waiting {
            let offset = self.range(slot).start;
            state.stop_waiting(offset, ticket);
            match &checked[&slot] {
                Ok(siblings) => {
                    state.segments.set_checked(segment, offset);
                    state.hold(ticket, segment);
                    let mut more = Vec::new();
                    siblings.iter().for_each(|sibling| self.need(&mut state, ticket, *sibling, &mut more));
                    missing.extend(state.tickets.get(&ticket).map(|waiter| (waiter.priority, more)));
                }
                Err(error) => state.fail(ticket, offset, error.clone()),
            }
            settled.extend(state.arrived(ticket));
        }
        missing.into_iter().for_each(|(priority, ranges)| state.queue.add(ranges, priority));
        state.segments.evict(self.kept);
        drop(state);
        self.settle(settled);
        self.ask();
    }

    /// Gives up a request.
    fn give_up(&self, id: u64, error: io::Error) {
        let mut settled = Vec::new();
        let mut state = lock(&self.state);
        let Some(request) = state.queue.remove(id) else { return };
        let waiting: Vec<Waiting> = state.waiting_in(request.range).copied().collect();
        for Waiting { slot, ticket, .. } in waiting {
            let offset = self.range(slot).start;
            state.stop_waiting(offset, ticket);
            // One for each, because each names its asset.
            let error = Error::new(ErrorKind::Io(io::Error::new(error.kind(), error.to_string())));
            state.fail(ticket, offset, self.about(error, slot));
            settled.extend(state.arrived(ticket));
        }
        drop(state);
        self.settle(settled);
        self.ask();
    }

    /// Returns the part with the resource at `slot`, if it is here.
    fn part_here(&self, slot: u32) -> Result<Option<Part<'static>>> {
        let range = self.range(slot);
        let mut state = lock(&self.state);
        let checked = state.segments.find(&range);
        if let Some(id) = checked.or_else(|| Some(self.find(&mut state, slot, &range)?.0)) {
            return Ok(Some(state.segments.use_part(id)));
        }
        // Reported once: the next load tries again.
        match state.failed.remove(&range.start) {
            Some(error) => Err(error),
            None => Ok(None),
        }
    }
}

impl PartSource for Parts {
    fn part(&self, slot: u32) -> Result<Part<'static>> {
        if let Some(part) = self.part_here(slot)? {
            return Ok(part);
        }
        let alone = Arc::new(Alone::default());
        lock(&self.state).blocked += 1;
        self.begin_fetch(&[Ticket { slots: vec![slot], number: 0 }], Priority::High, &(Arc::clone(&alone) as _));
        let _held = alone.0.wait();
        lock(&self.state).blocked -= 1;
        self.part_here(slot)?.ok_or_else(|| Error::new(ErrorKind::NotHere))
    }

    fn fetch(&self, tickets: &[Ticket], priority: Priority, arrivals: Arc<dyn Arrivals>) -> FetchGuard {
        let fetch = self.begin_fetch(tickets, priority, &arrivals);
        FetchGuard(Box::new(Fetching { parts: Weak::clone(&self.me), fetch }))
    }

    fn here(&self, slot: u32) -> u64 {
        let range = self.range(slot);
        let state = lock(&self.state);
        match state.segments.find(&range).or_else(|| state.segments.find_unchecked(&range)) {
            Some(_) => (range.end - range.start).into(),
            None => state.queue.received_of(&range).into(),
        }
    }

    fn send_from(&self, least: Priority) {
        lock(&self.state).queue.begin_from(least);
        self.ask();
    }
}

impl Asker for Parts {
    fn progressed(&self, id: u64, collected: &Collected) -> bool {
        let mut state = lock(&self.state);
        if collected.is_whole {
            // It answers all requests.
            state.queue.retain_one(id);
        }
        let Some(request) = state.queue.get_mut(id) else { return false };
        if collected.is_whole {
            request.range = 0..u32::MAX;
        }
        request.received = Some(collected.bytes.len() as u32);
        true
    }

    fn answered(self: Arc<Self>, id: u64, answer: io::Result<Collected>) {
        match answer {
            Ok(collected) => self.take(id, collected),
            Err(error) => self.give_up(id, error),
        }
    }
}

impl State {
    fn number(&mut self) -> u64 {
        self.next_number += 1;
        self.next_number
    }

    /// Lets a ticket hold a segment.
    fn hold(&mut self, ticket: u64, segment: SegmentId) {
        if let Some(waiter) = self.tickets.get_mut(&ticket) {
            self.segments.hold(segment);
            waiter.segments.push(segment);
        }
    }

    /// Whether the source may be asked for more. What is held and what is on its way together stay within `kept`, unless nobody
    /// could go on otherwise: a load that a thread waits for may be the one that lets go of what is held.
    fn has_room(&self, kept: u64) -> bool {
        let is_within = self.segments.held() + self.queue.expected() < kept;
        is_within || (self.blocked > 0 && self.queue.is_urgent()) || (self.settled == 0 && self.queue.running() == 0)
    }

    fn waiting_in(&self, range: Range<u32>) -> impl Iterator<Item = &Waiting> {
        let end = range.end;
        self.waiting.range(range).flat_map(|(_, waiting)| waiting).filter(move |waiting| waiting.end <= end)
    }

    fn stop_waiting(&mut self, offset: u32, ticket: u64) {
        if let Some(waiting) = self.waiting.get_mut(&offset) {
            waiting.retain(|waiting| waiting.ticket != ticket);
            if waiting.is_empty() {
                self.waiting.remove(&offset);
            }
        }
    }

    /// Remembers why the resource at an offset is not here, for a ticket that waits for it and for who loads it otherwise.
    fn fail(&mut self, ticket: u64, offset: u32, error: Error) {
        if let Some(waiter) = self.tickets.get_mut(&ticket) {
            waiter.error.get_or_insert_with(|| error.clone());
        }
        self.failed.insert(offset, error);
    }

    /// Counts one of the resources of a ticket as here, and returns the ticket if it was the last one.
    fn arrived(&mut self, ticket: u64) -> Option<Settled> {
        let waiter = self.tickets.get_mut(&ticket)?;
        waiter.missing -= 1;
        if waiter.missing > 0 {
            return None;
        }
        let Waiter { arrivals, number, segments, error, .. } = self.tickets.remove(&ticket)?;
        self.settled += 1;
        Some(Settled { arrivals, number, segments, error })
    }

    /// Takes back the tickets of a fetch that are not settled. The caller drops them after it has released the lock, because their
    /// holders may do more than that.
    fn cancel(&mut self, fetch: u64) -> Vec<Waiter> {
        let cancelled: Vec<Waiter> =
            self.tickets.extract_if(|_, waiter| waiter.fetch == fetch).map(|(_, waiter)| waiter).collect();
        cancelled.iter().for_each(|waiter| self.segments.let_go(&waiter.segments));
        let Self { waiting, tickets, queue, .. } = self;
        waiting.retain(|_, waiting| {
            waiting.retain(|waiting| tickets.contains_key(&waiting.ticket));
            !waiting.is_empty()
        });
        queue.retain(|range| waiting.range(range.clone()).next().is_some());
        cancelled
    }
}

/// The segments of a settled ticket, which stay until this is dropped.
struct Held {
    parts: Weak<Parts>,
    segments: Vec<SegmentId>,
}

impl Drop for Held {
    fn drop(&mut self) {
        let Some(parts) = self.parts.upgrade() else { return };
        let mut state = lock(&parts.state);
        state.settled -= 1;
        state.segments.let_go(&self.segments);
        state.segments.evict(parts.kept);
        drop(state);
        parts.ask();
    }
}

/// A fetch, which ends when this is dropped.
struct Fetching {
    parts: Weak<Parts>,
    fetch: u64,
}

impl Drop for Fetching {
    fn drop(&mut self) {
        let Some(parts) = self.parts.upgrade() else { return };
        let cancelled = lock(&parts.state).cancel(self.fetch);
        drop(cancelled);
        parts.ask();
    }
}

/// A thread that waits for one resource.
#[derive(Default)]
struct Alone(Signal<Hold>);

impl Arrivals for Alone {
    fn settled(&self, _: usize, hold: Hold) {
        self.0.set(hold);
    }
}

impl fmt::Debug for Parts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Parts").field("source", &self.source.name()).finish_non_exhaustive()
    }
}
