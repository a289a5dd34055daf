//! Which ranges of a pack are read, in which order, and how many at once.

use std::ops::Range;

use crate::pool::Priority;

/// Requests that are answered at the same time: browsers open as many connections to a server.
const PARALLEL: usize = 6;
/// Reading so many bytes that nobody asked for is cheaper than another request.
const GAP: u32 = 16 << 10;
/// Ranges are not joined to more than this, so that several are read at once and an urgent one is not far behind.
const MOST: u32 = 2 << 20;

/// A range of the pack that is being read, or will be.
#[derive(Debug)]
pub(super) struct Request {
    pub(super) id: u64,
    pub(super) range: Range<u32>,
    priority: Priority,
    /// How many bytes have arrived; `None` if the source was not asked yet.
    pub(super) received: Option<u32>,
    /// How often the source was asked before.
    pub(super) tries: u8,
}

/// The requests of a pack, oldest first.
#[derive(Debug, Default)]
pub(super) struct Queue {
    requests: Vec<Request>,
    /// Less urgent requests wait.
    least: Option<Priority>,
    next_id: u64,
}

impl Queue {
    /// Adds requests for those of `ranges` that no request has. A request that has one becomes as urgent as this.
    pub(super) fn add(&mut self, mut ranges: Vec<Range<u32>>, priority: Priority) {
        ranges.retain(|range| match self.covering_mut(range) {
            Some(request) => {
                request.priority = request.priority.max(priority);
                false
            }
            None => true,
        });
        ranges.sort_by_key(|range| range.start);
        let mut joined: Vec<Range<u32>> = Vec::new();
        for range in ranges {
            if !joined.last_mut().is_some_and(|last| join(last, &range)) {
                joined.push(range);
            }
        }
        for range in joined {
            self.push(range, priority, 0);
        }
    }

    /// Chooses the least priority of requests that begin.
    pub(super) fn begin_from(&mut self, least: Priority) {
        self.least = Some(least);
    }

    fn push(&mut self, range: Range<u32>, priority: Priority, tries: u8) {
        self.requests.push(Request { id: self.next_id, range, priority, received: None, tries });
        self.next_id += 1;
    }

    /// Asks again for what an answer did not bring.
    pub(super) fn again(&mut self, request: Request) {
        let Request { range, priority, tries, .. } = request;
        self.push(range, priority, tries.saturating_add(1));
    }

    /// Chooses the next request to ask the source for; `None` if enough are being answered, or none is left. Requests that have been waiting
    /// beside it are joined to it, such as those of assets that were asked for one by one.
    pub(super) fn begin(&mut self) -> Option<(u64, Range<u32>, u8)> {
        if self.running() >= PARALLEL {
            return None;
        }
        let least = self.least;
        let waiting = |request: &&Request| request.received.is_none() && Some(request.priority) >= least;
        let urgent = self.requests.iter().filter(waiting).map(|request| request.priority).max()?;
        let next = |request: &Request| request.received.is_none() && request.priority == urgent;
        let chosen = self.requests.iter().position(next)?;
        let (id, tries, range) = {
            let Request { id, tries, ref range, .. } = self.requests[chosen];
            // What was damaged is read again by itself.
            (id, tries, if tries == 0 { self.joined(range, next) } else { range.clone() })
        };
        // Less urgent ones that it covers are answered with it.
        let stays = |request: &Request| request.id == id || request.received.is_some() || request.tries > 0;
        self.requests.retain(|request| stays(request) || !covers(&range, &request.range));
        let request = self.get_mut(id)?;
        (request.range, request.received) = (range.clone(), Some(0));
        Some((id, range, tries))
    }

    /// Returns a range with those around it that some of the requests have.
    fn joined(&self, range: &Range<u32>, among: impl Fn(&Request) -> bool) -> Range<u32> {
        let others = self.requests.iter().filter(|request| request.tries == 0 && among(request));
        let mut others: Vec<&Range<u32>> = others.map(|request| &request.range).collect();
        others.sort_unstable_by_key(|range| range.start);
        let at = others.partition_point(|other| other.start < range.start);
        let (before, after) = others.split_at(at);
        let mut joined = range.clone();
        for other in after {
            if !join(&mut joined, other) {
                break;
            }
        }
        for other in before.iter().rev() {
            let mut longer = Range::clone(other);
            if !join(&mut longer, &joined) {
                break;
            }
            joined = longer;
        }
        joined
    }

    pub(super) fn get_mut(&mut self, id: u64) -> Option<&mut Request> {
        self.requests.iter_mut().find(|request| request.id == id)
    }

    pub(super) fn remove(&mut self, id: u64) -> Option<Request> {
        let at = self.requests.iter().position(|request| request.id == id)?;
        Some(self.requests.remove(at))
    }

    /// Drops all requests but one.
    pub(super) fn retain_one(&mut self, id: u64) {
        self.requests.retain(|request| request.id == id);
    }

    /// Drops the requests that nobody needs any more.
    pub(super) fn retain(&mut self, is_needed: impl Fn(&Range<u32>) -> bool) {
        self.requests.retain(|request| is_needed(&request.range));
    }

    /// Whether a request of the highest priority waits.
    pub(super) fn is_urgent(&self) -> bool {
        self.requests.iter().any(|request| request.received.is_none() && request.priority == Priority::High)
    }

    /// Returns how many requests are being answered.
    pub(super) fn running(&self) -> usize {
        self.requests.iter().filter(|request| request.received.is_some()).count()
    }

    /// Returns how many bytes were asked for and have not all arrived.
    pub(super) fn expected(&self) -> u64 {
        let running = self.requests.iter().filter(|request| request.received.is_some());
        running.map(|request| u64::from(request.range.end - request.range.start)).sum()
    }

    /// Returns the request that brings a range, and how many of its bytes have arrived.
    pub(super) fn received_of(&self, range: &Range<u32>) -> u32 {
        let request = self.requests.iter().find(|request| covers(&request.range, range));
        let received = request.and_then(|request| Some(request.range.start.saturating_add(request.received?)));
        received.map_or(0, |end| end.min(range.end).saturating_sub(range.start))
    }

    fn covering_mut(&mut self, range: &Range<u32>) -> Option<&mut Request> {
        self.requests.iter_mut().find(|request| covers(&request.range, range))
    }
}

/// Extends a range to the end of one that starts after it, if the two are close and not too long; returns whether it now has both.
fn join(first: &mut Range<u32>, second: &Range<u32>) -> bool {
    let joins =
        second.start <= first.end.saturating_add(GAP) && (second.end <= first.end || second.end - first.start <= MOST);
    if joins {
        first.end = first.end.max(second.end);
    }
    joins
}

fn covers(whole: &Range<u32>, part: &Range<u32>) -> bool {
    whole.start <= part.start && part.end <= whole.end
}

#[cfg(test)]
mod tests {
    use super::*;

    fn begun(queue: &mut Queue) -> Vec<Range<u32>> {
        std::iter::from_fn(|| queue.begin()).map(|(_, range, _)| range).collect()
    }

    #[test]
    fn ranges_that_are_close_are_read_at_once() {
        let mut queue = Queue::default();
        queue.add(vec![500..900, 100..300, 100_000..100_010, 850..870], Priority::Normal);
        assert_eq!(begun(&mut queue), [100..900, 100_000..100_010]);
        assert_eq!(queue.expected(), 810);
    }

    #[test]
    fn large_ranges_are_not_joined() {
        let mut queue = Queue::default();
        queue.add(vec![0..MOST, MOST..MOST + 5, MOST + 5..4 * MOST], Priority::Normal);
        assert_eq!(begun(&mut queue), [0..MOST, MOST..MOST + 5, MOST + 5..4 * MOST]);
    }

    #[test]
    fn urgent_requests_come_first_and_at_most_six_run() {
        let mut queue = Queue::default();
        let far = |n: u32| n * 1_000_000..n * 1_000_000 + 10;
        queue.add((0..8).map(far).collect(), Priority::Low);
        queue.add(vec![far(9)], Priority::Normal);
        // Somebody who waits for a range that is queued already makes it urgent.
        queue.add(vec![far(5)], Priority::High);
        assert_eq!(begun(&mut queue), [far(5), far(9), far(0), far(1), far(2), far(3)]);
        assert_eq!(queue.running(), PARALLEL);
    }

    #[test]
    fn less_urgent_requests_wait() {
        let mut queue = Queue::default();
        queue.add(vec![0..10, 100_000..100_010, 200_000..200_010], Priority::Normal);
        queue.begin_from(Priority::High);
        assert!(queue.begin().is_none());
        queue.add(vec![100_000..100_010, 200_000..200_005], Priority::High);
        assert_eq!(begun(&mut queue), [100_000..100_010, 200_000..200_010]);
        queue.begin_from(Priority::Low);
        assert_eq!(queue.begin().map(|(_, range, _)| range), Some(0..10));
    }

    #[test]
    fn requests_that_wait_are_joined_when_they_begin() {
        let mut queue = Queue::default();
        let far = |n: u32| n * 1_000_000..n * 1_000_000 + 10;
        (1..=6).for_each(|n| queue.add(std::iter::once(far(n)).collect(), Priority::Normal));
        let running: Vec<u64> = std::iter::from_fn(|| queue.begin()).map(|(id, ..)| id).collect();
        // One by one, in any order, while six others are read.
        for at in [300, 100, 200, 400, 100_000] {
            queue.add(std::iter::once(at..at + 100).collect(), Priority::Normal);
        }
        // One of them is between the others.
        queue.add(vec![450..600, 320..330], Priority::Low);
        let damaged = Request { id: 0, range: 600..700, priority: Priority::Normal, received: None, tries: 0 };
        queue.again(damaged);
        for id in running {
            queue.remove(id).unwrap();
        }
        assert_eq!(begun(&mut queue), [100..500, 100_000..100_100, 600..700, 450..600]);
    }

    #[test]
    fn requests_that_wait_are_not_joined_to_large_ones() {
        let mut queue = Queue::default();
        for range in [MOST - 10..MOST, 0..10, MOST..MOST + 10] {
            queue.add(std::iter::once(range).collect(), Priority::Normal);
        }
        // The first two are further apart than what is read in vain.
        assert_eq!(begun(&mut queue), [MOST - 10..MOST + 10, 0..10]);
        for number in 0..8 {
            queue.add(std::iter::once(number * MOST / 4..(number + 1) * MOST / 4).collect(), Priority::Normal);
        }
        assert_eq!(begun(&mut queue), [0..MOST, MOST..2 * MOST]);
    }

    #[test]
    fn what_is_being_read_is_not_asked_for_twice() {
        let mut queue = Queue::default();
        queue.add(std::iter::once(0..1000).collect(), Priority::Normal);
        let (id, ..) = queue.begin().unwrap();
        queue.get_mut(id).unwrap().received = Some(400);
        queue.add(std::iter::once(300..700).collect(), Priority::Normal);
        assert!(queue.begin().is_none());
        assert_eq!(queue.received_of(&(300..700)), 100);
        assert_eq!(queue.received_of(&(2000..2100)), 0);
    }
}
