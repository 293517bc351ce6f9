// Talks to the server: commands, translated sentences, and the stream of events. Whatever fails is
// told in one sentence, and the stream begins anew by itself.
import { language, t } from './words.js';

export class Refused extends Error {
  constructor(status, error) {
    super(error?.sentence ?? `HTTP ${status}`);
    this.status = status;
    this.code = error?.code;
  }
}

async function request(path, options) {
  let response;
  try {
    response = await fetch(path, { cache: 'no-store', ...options });
  } catch {
    throw new Refused(0, { sentence: t('lost') });
  }
  const isJSON = response.headers.get('content-type')?.startsWith('application/json');
  const body = isJSON ? await response.json() : {};
  if (!response.ok) throw new Refused(response.status, body.error);
  return body;
}

export const get = (path) => request(path);

export const post = (path, body) =>
  request(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });

/** Sends the words of a command; the answer is what the protocol calls `ok`. */
export const send = async (words, yes = false) => (await post('/api/do', { words, yes })).ok;

// Sentences in the reader's language.

const known = new Map();
let asked = null;

/** The recorder's sentence in the page's language. */
export function say(sentence) {
  if (language() === 'en' || !sentence) return Promise.resolve(sentence ?? '');
  const key = language() + sentence;
  if (!known.has(key)) {
    if (known.size > 500) known.clear();
    known.set(key, ask(sentence));
  }
  return known.get(key);
}

// Sentences of one moment are asked for together.
function ask(sentence) {
  if (!asked || asked.sentences.length >= 50) {
    const batch = { sentences: [], language: language() };
    batch.answer = Promise.resolve().then(() => {
      asked = null;
      return post('/api/say', { language: batch.language, sentences: batch.sentences });
    });
    asked = batch;
  }
  const place = asked.sentences.push(sentence) - 1;
  return asked.answer.then((body) => body.sentences[place], () => sentence);
}

/** Shows a sentence of the recorder; of several that are asked for, the last counts. */
export async function tell(element, sentence) {
  element.sentence = sentence;
  const said = await say(sentence);
  if (element.sentence === sentence && element.textContent !== said) element.textContent = said;
}

/** The stream of events of one folder. Calls `on[event](data)`, `on.lost()` and `on.refused(error)`. */
export class Stream {
  constructor(on) {
    this.on = on;
    this.folder = null;
    document.addEventListener('visibilitychange', () => this.follow());
    addEventListener('pagehide', () => this.close());
    addEventListener('pageshow', () => this.follow());
  }

  show(folder) {
    this.folder = folder;
    this.open();
  }

  // A page that is not seen watches nothing; when it is seen again it gets the whole truth.
  follow() {
    if (document.hidden) this.close();
    else if (!this.source && this.folder) this.open();
  }

  /** Watches nothing until a folder is shown again. */
  end() {
    this.folder = null;
    this.close();
  }

  close() {
    clearTimeout(this.retry);
    this.source?.close();
    this.source = null;
  }

  open() {
    this.close();
    const source = new EventSource(`/api/events?folder=${this.folder}&levels=1`);
    this.source = source;
    for (const name of ['hello', 'recorder', 'status', 'notices', 'levels', 'listing', 'folder', 'change', 'gone'])
      source.addEventListener(name, (event) => {
        if (this.source === source) this.on[name]?.(JSON.parse(event.data));
      });
    // Not at once: if too many pages are open, they would chase each other away.
    source.addEventListener('reload', () => {
      this.close();
      this.retry = setTimeout(() => this.follow(), 3000 + Math.random() * 4000);
    });
    source.onerror = () => this.source === source && this.lose();
  }

  async lose() {
    this.on.lost();
    this.close();
    try {
      await get('/api/me');
    } catch (error) {
      if (error.status === 401 || error.status === 403) return this.on.refused(error);
    }
    this.retry = setTimeout(() => document.hidden || this.open(), 2000);
  }
}
