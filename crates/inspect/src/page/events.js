// Failures and events, the newest first.

function drawEvents() {
  const view = byId('view-events');
  const failedLoads = state.loads.filter((load) => load.error);
  const failedEvents = state.events.filter((event) => event.is_failure);
  const line = (at, ...what) => make('li', {}, make('span', { class: 'number' }, time(at)), make('span', {}, what));
  const cards = [];
  const card = (title, text, lines) => cards.push(make('section', { class: 'card' }, make('h2', {}, title), make('p', {}, text), make('ul', {}, lines)));
  const failures = [
    ...failedLoads.map((load) => [load.start_us, () => line(load.start_us, pathButton(load.store, load.path), ': ', isolated(load.error))]),
    ...failedEvents.map((event) => [event.at_us, () => line(event.at_us, isolated(event.text))]),
  ].sort(([a], [b]) => b - a);
  if (failures.length > 0) card('Failures', 'What could not be loaded, imported or reloaded since the game started.', failures.slice(0, 300).map(([, make]) => make()));
  const others = state.events.filter((event) => !event.is_failure).reverse();
  if (others.length > 0) card('Events', 'What has changed.', others.slice(0, 300).map((event) => line(event.at_us, isolated(event.text))));
  if (cards.length === 0) cards.push(make('p', { class: 'empty' }, 'Nothing has failed, and nothing has changed.'));
  const forgotten = (state.events_forgotten ?? 0) + (state.loads_forgotten ?? 0);
  if (forgotten > 0) cards.push(make('p', { class: 'dim' }, `${count(forgotten, 'older load or event was', 'older loads and events were')} forgotten.`));
  view.replaceChildren(...cards);
  const tab = byId('tab-events');
  tab.replaceChildren('Events', ...(failures.length > 0 ? [make('span', { class: 'badge bad' }, make('span', { class: 'hidden' }, 'failures: '), failures.length.toLocaleString('en'))] : []));
}

listeners.push(drawEvents);
