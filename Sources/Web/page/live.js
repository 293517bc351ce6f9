// Live listening: samples of 16 bits come as they are heard, and are played by Web Audio a moment
// later. It begins with a click, tells how far behind it is, and ends by itself: with its page, when
// the page was not seen for long, and when the microphone closes.
import { get, Refused } from './api.js';
import { button, find, make } from './dom.js';
import { t } from './words.js';

// Seconds between a sample's coming and its sounding: what is begun with, and what is dropped above.
const AHEAD = 0.2;
const MOST = 0.5;
// From here on the connection is made anew: what waits on the way cannot be skipped.
const LATE = 0.95;
const HIDDEN_MILLISECONDS = 5 * 60_000;
const MEASURE_MILLISECONDS = 1000;

let run;
let device = null;
let mayListen = false;
let session = null;

/** - act: runs a function that may be refused, and tells why. */
export function begin(act) {
  run = act;
  let hidden;
  document.addEventListener('visibilitychange', () => {
    clearTimeout(hidden);
    if (document.hidden) hidden = setTimeout(() => end(t('liveHidden')), HIDDEN_MILLISECONDS);
  });
  addEventListener('pagehide', () => end());
}

export function show(now, role) {
  device = now.device;
  mayListen = role !== 'look';
  if (!mayListen) end();
  draw();
}

function draw() {
  const parent = find('live');
  parent.hidden = !mayListen || !(device?.isOpen || session);
  parent.setAttribute('aria-label', t('liveGroup'));
  if (!parent.firstElementChild) {
    // What changes each second is not read out; why it ended is.
    parent.append(button(t('liveStart'), () => (session ? end() : run(listen))),
      make('span', { className: 'quiet' }), make('span', { className: 'quiet', role: 'status' }));
  }
  const [toggle] = parent.children;
  const label = t(session ? 'liveStop' : 'liveStart');
  if (toggle.textContent !== label) toggle.textContent = label;
}

function tell(behind, why = '') {
  const [, left, right] = find('live').children;
  [left.textContent, right.textContent] = [behind, why];
}

/** Ends it, and tells why if it was not wanted. */
export function end(why = '') {
  if (!session) return;
  const ended = session;
  session = null;
  ended.close();
  draw();
  tell('', why);
}

// Within the click: a browser lets only what follows from one make sound.
async function listen() {
  const context = new AudioContext({ sampleRate: device.rate, latencyHint: 'interactive' });
  const mine = session = new Session(context);
  draw();
  tell(t('connecting'));
  try {
    await mine.follow();
    if (session === mine) end(t('liveEnded'));
  } catch (error) {
    if (session !== mine) return null;
    end();
    throw error;
  }
  return null;
}

class Session {
  constructor(context) {
    this.context = context;
    this.late = 0;
    this.timer = setInterval(() => this.measure(), MEASURE_MILLISECONDS);
    context.resume();
  }

  close() {
    clearInterval(this.timer);
    this.isOver = true;
    this.abort?.abort();
    this.context.close();
  }

  /** Plays until the server ends it. */
  async follow() {
    let isAgain;
    do {
      isAgain = false;
      try {
        await this.receive();
      } catch (error) {
        if (error instanceof Refused || this.isOver) throw error;
        // Made anew on purpose; anything else is a connection that was lost.
        if (!this.isLate) throw new Refused(0, { sentence: t('lost') });
        isAgain = true;
      }
    } while (isAgain);
  }

  async receive() {
    this.abort = new AbortController();
    [this.isLate, this.late, this.frame, this.next, this.last] = [false, 0, 0, 0, null];
    const reply = await fetch('/api/live', { cache: 'no-store', signal: this.abort.signal });
    if (!reply.ok) throw new Refused(reply.status, (await reply.json()).error);
    this.name = reply.headers.get('reel-stream');
    this.rate = Number(/rate=(\d+)/.exec(reply.headers.get('content-type'))[1]);
    const reader = reply.body.getReader();
    let odd = null;
    for (;;) {
      const { done, value } = await reader.read();
      if (done || this.isOver) return;
      let bytes = value;
      if (odd !== null) {
        bytes = new Uint8Array(value.length + 1);
        bytes[0] = odd;
        bytes.set(value, 1);
      }
      odd = bytes.length % 2 ? bytes.at(-1) : null;
      this.play(bytes);
    }
  }

  play(bytes) {
    const count = bytes.length >> 1;
    const { context } = this;
    const now = context.currentTime;
    const first = this.frame;
    this.frame += count;
    // At the beginning, and when sound came too late, a little is gathered anew.
    if (this.next < now) this.next = now + AHEAD;
    if (!count || this.next - now > MOST) return;
    const view = new DataView(bytes.buffer, bytes.byteOffset);
    const buffer = context.createBuffer(1, count, this.rate);
    const samples = buffer.getChannelData(0);
    for (let index = 0; index < count; index += 1) samples[index] = view.getInt16(index * 2) / 32768;
    const source = context.createBufferSource();
    source.buffer = buffer;
    source.connect(context.destination);
    source.start(this.next);
    this.last = { frame: first, time: this.next };
    this.next += count / this.rate;
  }

  // The server says which frame the microphone hears now, and the clock of the loudspeaker which
  // one is heard here: the difference is the whole way.
  async measure() {
    const { last, name, context } = this;
    if (!last || context.state !== 'running') return;
    const asked = performance.now();
    let newest;
    try {
      newest = (await get(`/api/live/${name}`)).frame;
    } catch {
      return;
    }
    if (this.isOver || name !== this.name || !this.last) return;
    const halfWay = (performance.now() - asked) / 2000;
    const output = context.outputLatency || context.baseLatency || 0;
    const heard = this.last.frame + (context.currentTime - output - this.last.time) * this.rate;
    const behind = Math.max(0, (newest - heard) / this.rate + halfWay);
    tell(t('liveBehind', behind.toFixed(1)));
    find('live').dataset.behind = behind.toFixed(3);
    this.late = behind > LATE ? this.late + 1 : 0;
    if (this.late < 3) return;
    this.isLate = true;
    this.abort.abort();
  }
}
