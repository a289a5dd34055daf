// Sounds: their wave, which plays.

/** The sound that plays; another one stops it. */
let playing = null;
let speakers = null;

function showSound(preview) {
  if (preview.file === null) return [make('p', { class: 'note' }, preview.note)];
  const canvas = make('canvas', { height: '110' });
  const position = make('span', { class: 'number' });
  const button = make('button', { type: 'button', class: 'choice', disabled: true, click: toggle }, 'Play');
  const stage = make('div', {
    class: 'stage fixed', tabindex: '0', role: 'slider', 'aria-label': 'Position; space plays, arrow keys move', 'aria-valuemin': 0,
  }, canvas);
  const note = make('p', { class: 'note' }, preview.note ? `This preview contains ${preview.note}.` : '');
  const sound = { buffer: null, at: 0, started: 0, node: null };

  const now = () => {
    if (!sound.node) return sound.at;
    const at = sound.at + speakers.currentTime - sound.started;
    return sound.node.loop ? at % sound.buffer.duration : Math.min(at, sound.buffer.duration);
  };

  function draw() {
    const width = stage.clientWidth, height = 110, by = devicePixelRatio || 1;
    if (width === 0) return;
    [canvas.width, canvas.height] = [width * by, height * by];
    canvas.style.height = `${height}px`;
    const context = canvas.getContext('2d');
    context.scale(by, by);
    const samples = sound.buffer.getChannelData(0), played = now() / sound.buffer.duration * width;
    const [before, after] = [colour('--accent'), colour('--sound')];
    for (let x = 0; x < width; x += 2) {
      const [start, end] = [x, x + 2].map((at) => Math.floor(at / width * samples.length));
      // A few hundred samples per bar show the same as all of them.
      const step = Math.max(1, Math.floor((end - start) / 300));
      let low = 0, high = 0;
      for (let i = start; i < end; i += step) { low = Math.min(low, samples[i]); high = Math.max(high, samples[i]); }
      const top = (1 - high) * height / 2;
      context.fillStyle = x < played ? before : after;
      context.fillRect(x, top, 1.5, Math.max(1, (high - low) * height / 2));
    }
    position.textContent = `${now().toFixed(1)} of ${sound.buffer.duration.toFixed(1)} s`;
    stage.setAttribute('aria-valuenow', now().toFixed(1));
    stage.setAttribute('aria-valuetext', position.textContent);
  }

  function animate() {
    if (!stage.isConnected) stop();
    if (!sound.node) return;
    draw();
    requestAnimationFrame(animate);
  }

  function stop() {
    if (!sound.node) return;
    sound.at = now();
    sound.node.onended = null;
    sound.node.stop();
    sound.node = null;
    button.textContent = 'Play';
  }

  function play() {
    playing?.();
    playing = stop;
    speakers ??= new AudioContext();
    speakers.resume();
    const gain = speakers.createGain();
    gain.gain.value = 10 ** ((preview.gain ?? 0) / 20);
    if (sound.at >= sound.buffer.duration - 0.05) sound.at = 0;
    sound.node = speakers.createBufferSource();
    sound.node.buffer = sound.buffer;
    sound.node.loop = preview.looped && !preview.note;
    sound.node.connect(gain).connect(speakers.destination);
    sound.node.onended = () => { sound.node = null; sound.at = 0; button.textContent = 'Play'; draw(); };
    sound.node.start(0, sound.at);
    sound.started = speakers.currentTime;
    button.textContent = 'Pause';
    animate();
  }

  function toggle() {
    if (sound.node) { stop(); draw(); } else play();
  }

  function seek(to) {
    const wasPlaying = sound.node !== null;
    stop();
    sound.at = Math.max(0, Math.min(to, sound.buffer.duration));
    if (wasPlaying) play(); else draw();
  }

  new OfflineAudioContext(1, 1, 44100).decodeAudioData(bytesOf(preview.file).buffer).then((buffer) => {
    sound.buffer = buffer;
    button.disabled = false;
    stage.setAttribute('aria-valuemax', buffer.duration.toFixed(1));
    stage.addEventListener('click', (event) => seek((event.clientX - stage.getBoundingClientRect().x) / stage.clientWidth * buffer.duration));
    stage.addEventListener('keydown', (event) => {
      const moves = { ArrowLeft: -1, ArrowRight: 1, ArrowDown: -1, ArrowUp: 1, Home: -Infinity, End: Infinity };
      if (event.key === ' ' || event.key === 'Enter') toggle();
      else if (event.key in moves) seek(now() + moves[event.key] * Math.max(0.1, buffer.duration / 20));
      else return;
      event.preventDefault();
    });
    new ResizeObserver(draw).observe(stage);
    draw();
  }, () => { note.textContent = `This browser cannot play ${preview.form}.`; });
  return [stage, make('div', { class: 'tools' }, button, position), note];
}

function soundFacts(preview) {
  const channels = ['', 'mono', 'stereo'][preview.channels] ?? `${preview.channels} channels`;
  const extras = [preview.gain ? `gain ${preview.gain} dB` : null, preview.looped ? 'looped' : null].filter(Boolean).join(', ');
  const length = preview.frames ? `${preview.seconds.toFixed(2)} s, ` : '';
  return [['Sound', `${length}${preview.sample_rate / 1000} kHz ${channels}, ${preview.form}`], ['Playback', extras]].filter(([, text]) => text);
}
