// The page: pairing, the address, the folder that is shown and what is done with its rows. The
// address after `#` names the folder and the recording, so that back and forward work.
import { get, post, say, send, Stream } from './api.js';
import { Detail } from './detail.js';
import { askText, button, confirm, find, make, toast } from './dom.js';
import { List } from './list.js';
import * as live from './live.js';
import * as now from './now.js';
import { chooseLanguage, language, t } from './words.js';

let role = 'look';
let folder = null;
let asked = 'root';
let stream = null;
const mayChange = () => role === 'control';
const isTrash = () => asked === 'trash';
const ROOT = '00000000-0000-0000-0000-000000000000';

/** Runs a function; what it refuses, and what the recorder says of it, is shown. */
async function run(action) {
  try {
    const answer = await action();
    if (answer?.question) return await ask(answer.question, action);
    if (answer?.done?.sentence) toast(await say(answer.done.sentence));
    return answer;
  } catch (error) {
    if (error.status === 401) return showPairing();
    toast(await say(error.message));
    return null;
  }
}

async function ask(question, action) {
  if (await confirm(await say(question))) return run(() => action(true));
  return null;
}

const list = new List({
  open: (row) => go(row.kind === 'folder' ? { f: row.id } : { f: asked, r: row.id }),
  drop: (ids, to) => move(ids, to),
  selection: () => showTools(),
  key: (event) => key(event),
  mayChange: () => mayChange() && !isTrash(),
});
const detail = new Detail(run, () => role, () => go({ f: asked }));

// MARK: The address

function go(where) {
  const text = new URLSearchParams(where).toString();
  if (location.hash.slice(1) === text) return;
  location.hash = text;
}

const isName = (text) => /^(root|trash|[0-9a-f-]{32,36})$/.test(text ?? '');

function follow() {
  const where = new URLSearchParams(location.hash.slice(1));
  const next = isName(where.get('f')) ? where.get('f') : 'root';
  if (next !== asked || !stream.source) {
    asked = next;
    folder = null;
    list.clear();
    find('found').hidden = true;
    stream.show(asked);
    scrollTo(0, 0);
  }
  const recording = isName(where.get('r')) ? where.get('r') : null;
  find('columns').classList.toggle('open', Boolean(recording));
  if (recording) run(() => detail.open(recording));
  else if (detail.id) {
    detail.hide();
    list.focus();
  }
  showFolder();
  list.soon();
}

// MARK: The folder

function showFolder() {
  const title = isTrash() ? t('trash') : folder?.id === ROOT ? t('folderTitle') : folder?.title ?? '';
  find('folder-title').textContent = title;
  list.box.setAttribute('aria-label', t('listName', title));
  list.box.folderID = isTrash() ? null : folder?.id;
  find('counts').textContent = !folder ? '' : isTrash() ? t('items', list.total)
    : t('counts', folder.recordings ?? 0, folder.unheard ?? 0);
  showPath();
  showTools();
}

/** The folders above by name; where each is is asked for when it is pressed. */
function showPath() {
  const names = (folder?.path ?? '/').split('/').filter(Boolean);
  const steps = isTrash() ? [] : names.slice(0, -1).map((name, index) => '/' + names.slice(0, index + 1).join('/'));
  const root = button(t('folderTitle'), () => go({ f: 'root' }));
  root.folderID = ROOT;
  const children = [root, ...steps.map((path, index) => {
    const step = button(names[index], () => run(async () => go({ f: (await send(['info', '--', path])).item.id })));
    if (index === steps.length - 1) step.folderID = folder.folderID;
    return step;
  })];
  const trash = button(t('trash'), () => go({ f: 'trash' }));
  const parent = find('path');
  parent.setAttribute('aria-label', t('path'));
  parent.firstElementChild.replaceChildren(...[...children, trash].map((child) => make('li', {}, child)));
}

function showTools() {
  const parent = find('tools');
  parent.setAttribute('aria-label', t('tools'));
  const count = list.selected.size;
  const tools = [];
  const add = (name, action, label) => tools.push(button(label ?? t(name), action));
  if (mayChange() && isTrash()) {
    if (count) add('restore', restore);
    add('emptyTrash', () => run((yes) => send(['trash', 'empty'], yes)));
  } else if (mayChange()) {
    add('newFolder', makeFolder);
    if (list.cut.size) add('moveHere', paste, t('moveHere', list.cut.size));
    if (count === 1) add('rename', rename);
    if (count) {
      add('move', cut);
      add('heard', () => mark(true));
      add('unheard', () => mark(false));
      add('remove', remove);
    }
  }
  if (mayChange()) add('undo', undo);
  if (mayChange() && !isTrash()) tools.push(sorting());
  if (role !== 'look' && !isTrash()) tools.push(make('a', { href: `/api/zip/${asked}`, download: '', textContent: t('zip') }));
  if (count) tools.push(make('span', { className: 'quiet', role: 'status', textContent: t('selected', count) }));
  const text = tools.map((tool) => tool.textContent).join() + folder?.order + asked;
  if (parent.shown === text) return;
  parent.shown = text;
  // The focus stays on the tool that has it.
  const focused = parent.contains(document.activeElement) ? document.activeElement.textContent : null;
  parent.replaceChildren(...tools);
  if (focused) tools.find((tool) => tool.textContent === focused)?.focus();
}

function sorting() {
  const orders = { byName: 'name', byDate: 'date', byLength: 'length', byHand: 'hand' };
  const choice = make('select', { onchange: () => run(() => send(['sort', choice.value, folder.id])) },
    ...Object.entries(orders).map(([key, word]) => make('option', { value: word, textContent: t('sort_' + word), selected: folder?.order === key })));
  return make('label', { className: 'compact' }, make('span', { textContent: t('sort') }), choice);
}

// MARK: Actions

const ids = (rows) => rows.map((row) => row.id);

async function makeFolder() {
  const name = await askText(t('newFolder'));
  const path = folder?.path === '/' ? '/' : (folder?.path ?? '') + '/';
  if (name?.trim()) run(() => send(['mkdir', '--', path + name.trim()]));
}

async function rename() {
  const row = list.chosen()[0];
  if (!row) return;
  const name = await askText(t('newName'), row.title);
  if (name?.trim() && name !== row.title) await run(() => send(['rename', '--', row.id, name.trim()]));
  list.focus();
}

function cut() {
  list.cut = new Set(ids(list.chosen()));
  list.selected.clear();
  if (list.cut.size) toast(t('cut', list.cut.size));
  showTools();
  list.soon();
}

async function paste() {
  if (!folder || !list.cut.size) return;
  await move([...list.cut], folder.id);
  list.cut.clear();
  showTools();
  list.soon();
}

async function move(items, to) {
  await run(() => send(['mv', '--', ...items, to]));
  list.selected.clear();
  showTools();
}

async function act(words) {
  const rows = list.chosen();
  if (!rows.length) return;
  await run((yes) => send([...words, '--', ...ids(rows)], yes));
  list.selected.clear();
  showTools();
  list.focus();
}

const remove = () => act(['rm']);
const restore = () => act(['restore']);
const mark = (isHeard) => act(isHeard ? ['heard'] : ['heard', '--not']);
const undo = () => run(() => send(['undo']));

/** Keys of the list. Returns whether one was meant. */
function key(event) {
  if (event.key === 'Escape') {
    list.selected.clear();
    list.cut.clear();
    showTools();
    return true;
  }
  if (event.key === 'Backspace' && folder?.folderID) {
    go({ f: folder.folderID === ROOT ? 'root' : folder.folderID });
    return true;
  }
  if (!mayChange()) return false;
  const keys = isTrash() ? { u: undo } : { F2: rename, Delete: remove, x: cut, v: paste, u: undo };
  const action = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
  if (action) action();
  return Boolean(action);
}

async function search(event) {
  event.preventDefault();
  const text = find('query').value.trim();
  const place = find('found');
  place.hidden = !text;
  if (!text) return;
  const answer = await run(() => send(['search', '--', text]));
  const found = (answer?.found ?? []).slice(0, 100);
  place.replaceChildren(...found.map((item) => make('li', {}, button(item.path ?? item.title, () => reveal(item)))));
  if (!found.length) place.append(make('li', { textContent: t('nothingFound') }));
}

async function reveal(item) {
  const answer = await run(() => send(['info', '--', item.id]));
  if (!answer) return;
  const inside = item.folderID === ROOT ? 'root' : item.folderID;
  go(answer.item.kind === 'folder' ? { f: item.id } : { f: inside, r: item.id });
}

// MARK: The stream

const link = (text, isAway) => {
  if (find('link').textContent !== text) find('link').textContent = text;
  find('link').classList.toggle('away', isAway);
};

stream = new Stream({
  hello: (me) => {
    role = me.role;
    now.setRole(role);
    showFolder();
  },
  recorder: ({ isThere }) => link(isThere ? t('role_' + role) : t('away'), !isThere),
  status: now.showStatus,
  notices: now.showNotices,
  levels: now.showLevels,
  listing: (listing) => {
    const isNew = folder?.id !== listing.folder.id;
    folder = listing.folder;
    list.page(listing);
    if (isNew || listing.from === 0) showFolder();
  },
  folder: (head) => {
    folder = head;
    showFolder();
  },
  change: (change) => {
    list.change(change);
    if (change.row?.id === detail.id) run(() => detail.refresh());
    showTools();
  },
  gone: () => {
    toast(t('folderGone'));
    if (asked !== 'root') go({ f: 'root' });
  },
  lost: () => link(t('lost'), true),
  refused: (error) => (error.status === 401 ? showPairing() : link(t('isOff'), true)),
});

// MARK: Pairing

function showPairing() {
  live.end();
  stream.end();
  find('page').hidden = true;
  find('leave').hidden = true;
  find('pairing').hidden = false;
  link('', false);
  find('code').focus();
}

async function pair(event) {
  event.preventDefault();
  find('pair-error').textContent = '';
  try {
    await post('/api/pair', { code: find('code').value, name: find('browser').value });
    find('code').value = '';
    start();
  } catch (error) {
    const body = await sayUnpaired(error);
    find('pair-error').textContent = body;
  }
}

// Without a session the catalogue cannot be asked.
const sayUnpaired = async (error) =>
  error.code === 'wrongCode' && language() !== 'en' ? { de: 'Dieser Code gilt nicht.', zh: '此代码无效。' }[language()] : error.message;

const browserName = () => {
  const agent = navigator.userAgent;
  const name = /Firefox|Edg|Chrome|Safari/.exec(agent)?.[0] ?? 'Browser';
  const system = /Android|iPhone|iPad|Windows|Mac|Linux/.exec(agent)?.[0];
  return system ? `${name}, ${system}` : name;
};

async function start() {
  let me;
  try {
    me = await get('/api/me');
  } catch (error) {
    if (error.status === 401) return showPairing();
    link(error.status === 403 ? t('isOff') : t('lost'), true);
    setTimeout(start, 3000);
    return;
  }
  role = me.role;
  find('pairing').hidden = true;
  find('page').hidden = false;
  find('leave').hidden = false;
  now.setRole(role);
  link(t('connecting'), false);
  follow();
}

find('language').value = chooseLanguage();
find('language').addEventListener('change', () => {
  chooseLanguage(find('language').value);
  location.reload();
});
find('browser').value = browserName();
find('pair').addEventListener('submit', pair);
find('search').addEventListener('submit', search);
find('leave').addEventListener('click', async () => {
  if (!(await confirm(t('leaveAsk')))) return;
  await run(() => post('/api/leave', {}));
  showPairing();
});
now.begin(run);
addEventListener('hashchange', follow);
start();
