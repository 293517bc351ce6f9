// What the recorder does now: its state in words and as a light, the level, what is wrong, and the
// buttons. All of it follows the stream; nothing is kept.
import { send, tell } from './api.js';
import * as live from './live.js';
import { askText, button, clock, find, make, span, toast } from './dom.js';
import { language, t } from './words.js';

let run;
let status = null;
let role = 'look';

/** - act: runs a function that may be refused, and tells why. */
export function begin(act) {
  run = act;
  live.begin(act);
  find('meter').setAttribute('aria-label', t('level'));
  find('copies').addEventListener('toggle', () => find('copies').open && run(showOnlyHere));
  find('settings').addEventListener('toggle', () => find('settings').open && run(showSettings));
  find('notices').querySelector('button').addEventListener('click', () => run(() => send(['acknowledge'])));
}

export function setRole(name) {
  role = name;
  find('settings').hidden = role !== 'control';
  if (status) showStatus(status);
}

export function showStatus(now) {
  status = now;
  find('light').className = now.state;
  if (language() === 'en') tell(find('sentence'), now.sentence);
  else sayState(now);
  document.title = now.state === 'recording' ? `● ${now.take?.title ?? ''} – Reel` : 'Reel';
  const facts = [];
  if (now.take) facts.push(`${now.take.title} ${clock(now.take.seconds * 1000)}`);
  if (now.leftSeconds !== undefined) facts.push(t('left', span(now.leftSeconds)));
  facts.push(now.device.name ? t('microphone', now.device.name) : t('noMicrophone'));
  find('facts').textContent = facts.join(' · ');
  showFaults(now);
  showButtons(now);
  showDeck(now);
  live.show(now, role);
  showCopies(now.copies);
}

// The recorder's sentence is put together from parts, which its catalogue does not know as a whole.
function sayState(now) {
  const parts = [t('state_' + now.state)];
  if (now.take) parts.push(`${now.take.title} ${clock(now.take.seconds * 1000)}`);
  else if (now.deck) parts.push(now.deck.title);
  if (now.unheard) parts.push(t('unheardCount', now.unheard));
  const text = parts.join(' · ');
  if (find('sentence').textContent !== text) find('sentence').textContent = text;
}

function showFaults(now) {
  const faults = [];
  if (!['ready'].includes(now.cardState)) faults.push(t('card_' + now.cardState));
  if (now.device.isSilent) faults.push(t('silent'));
  if (now.take?.microphoneSeemsDead) faults.push(t('deadMicrophone'));
  if (now.take?.lostFrames) faults.push(t('lostFrames'));
  if (now.take?.clippedFrames) {
    const tracks = now.take.clippedTracks.join(', ');
    faults.push(t('clipped') + (tracks ? ` (${tracks})` : ''));
  }
  if (!now.clockIsSynchronised) faults.push(t('clock'));
  const sentences = [...(now.device.name ? [] : [now.device.why]), ...(now.panelFaults ?? [])];
  const items = faults.map((text) => make('li', { textContent: text }));
  for (const sentence of sentences.filter(Boolean)) {
    const item = make('li');
    tell(item, sentence);
    items.push(item);
  }
  replace(find('faults'), items, (item) => item.sentence ?? item.textContent);
}

// Replaces children only if they changed, so that a screen reader and the focus are not disturbed.
function replace(parent, children, key) {
  const text = children.map(key).join('\n');
  if (parent.shown === text) return;
  parent.shown = text;
  parent.replaceChildren(...children);
}

function showButtons(now) {
  const parent = find('buttons');
  parent.setAttribute('aria-label', t('recordingGroup'));
  const isRecording = Boolean(now.take);
  const actions = role !== 'control' ? [] : isRecording
    ? [['stop', () => send(['stop']), 'main'], ['mark', () => send(['mark'])], ['split', () => send(['split'])]]
    : [['record', record, 'record']];
  replace(parent, actions.map(([name, action, className]) =>
    button(t(name), () => run(action), { className: className ?? '' })), (one) => one.textContent);
}

async function record() {
  const title = await askText(t('recordTitle'));
  if (title === null) return null;
  const folder = find('list').folderID;
  return send(['record', ...(folder ? ['--in', folder] : []), '--', ...(title.trim() ? [title.trim()] : [])]);
}

function showDeck(now) {
  const parent = find('deck');
  parent.setAttribute('aria-label', t('playerGroup'));
  const deck = now.deck;
  const actions = deck && role === 'control' ? [
    deck.isPlaying ? ['pause', ['pause']] : ['resume', ['resume']],
    ['−10 s', ['seek', '-10']], ['+10 s', ['seek', '+10']],
  ] : [];
  const children = actions.map(([name, words]) => button(t(name), () => run(() => send(words))));
  if (deck) children.push(make('span', { className: 'quiet', id: 'deck-text' }));
  replace(parent, children, (one) => one.textContent);
  if (deck) find('deck-text').textContent =
    `${t('playerGroup')}: ${deck.title} ${clock(deck.positionMilliseconds)} / ${clock(deck.lengthMilliseconds)}`;
}

function showCopies(copies) {
  const parent = find('copies');
  parent.hidden = !copies;
  if (!copies) return;
  parent.querySelector('summary').textContent = t('onlyHere', copies.onlyHere);
  const items = copies.targets.map((target) => {
    const item = make('li', { textContent: t('targetWaits', target.name, target.waiting ?? 0) });
    const why = make('span');
    if (target.why) { tell(why, target.why); item.append(' – ', why); }
    return item;
  });
  replace(parent.querySelector('ul'), items, (one) => one.textContent);
}

/** Lists those that exist only here, the oldest first. */
async function showOnlyHere() {
  const { copies } = await send(['copies', '--count', '50']);
  find('only-here').replaceChildren(...copies.items.map((item) => {
    const failed = item.copies?.find((copy) => copy.why);
    const why = make('span', { className: 'quiet' });
    if (failed) tell(why, failed.why);
    return make('li', {}, make('a', {
      href: `#f=${item.folderID}&r=${item.id}`, textContent: item.path ?? item.title,
    }), ' ', why);
  }));
}

/** Shows the settings in use, line by line; those that are not the default stand out. */
async function showSettings() {
  const { told } = await send(['config']);
  find('settings').querySelector('pre').replaceChildren(...told.trimEnd().split('\n').map((line) =>
    make(line.endsWith('// set') ? 'strong' : 'span', { textContent: line + '\n' })));
}

export function showLevels(levels) {
  const meter = find('meter');
  const peak = Math.max(-60, Math.min(0, levels.peakDecibels ?? -60));
  meter.firstElementChild.style.transform = `scaleX(${((peak + 60) / 60).toFixed(3)})`;
  meter.classList.toggle('hot', peak > -1);
  meter.setAttribute('aria-valuenow', Math.round(peak));
  meter.setAttribute('aria-valuetext', t('decibels', Math.round(peak)));
}

let newest = null;
export function showNotices(notices) {
  const parent = find('notices');
  parent.hidden = notices.length === 0;
  const fresh = notices.filter((notice) => !notice.acknowledged);
  parent.querySelector('summary').textContent = t('noticesTitle', notices.length, fresh.length);
  parent.querySelector('button').hidden = role !== 'control' || fresh.length === 0;
  parent.querySelector('ul').replaceChildren(...[...notices].reverse().slice(0, 100).map((notice) => {
    const words = make('span');
    tell(words, notice.sentence);
    return make('li', { className: notice.severity }, make('span', { className: 'quiet', textContent: notice.local + ' ' }), words);
  }));
  const last = fresh.at(-1);
  if (last && newest !== null && last.id > newest) {
    const words = make('span');
    tell(words, last.sentence).then(() => toast(words.textContent));
  }
  newest = Math.max(newest ?? 0, ...notices.map((notice) => notice.id), 0);
}
