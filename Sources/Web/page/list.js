// The list of a folder. Only the rows that can be seen are in the document, and those are used again,
// so that ten thousand recordings scroll like ten. Keys move an active row; the list keeps the focus.
import { clock, find, make } from './dom.js';
import { t } from './words.js';

const HEIGHT = 60;
const AROUND = 6;

export class List {
  /** - act: what is done with rows: open(row), drop(ids, folder), key(event, rows). */
  constructor(act) {
    this.act = act;
    this.box = find('list');
    this.slots = [];
    this.selected = new Set();
    this.cut = new Set();
    this.clear();
    const draw = () => this.soon();
    addEventListener('scroll', draw, { passive: true });
    addEventListener('resize', draw);
    this.box.addEventListener('click', (event) => this.click(event));
    for (const place of [this.box, find('empty')])
      place.addEventListener('keydown', (event) => this.key(event));
    this.box.addEventListener('focus', draw);
    this.drag();
  }

  clear() {
    this.rows = [];
    this.total = 0;
    this.active = 0;
    this.selected.clear();
    this.isLoaded = false;
    this.soon();
  }

  // MARK: What the stream says

  page(listing) {
    if (listing.from === 0) {
      const active = this.rows[this.active]?.id;
      this.rows = listing.rows;
      this.active = Math.max(0, this.rows.findIndex((row) => row.id === active));
    } else {
      this.rows.length = listing.from;
      this.rows.push(...listing.rows);
    }
    this.total = Math.max(listing.total, this.rows.length);
    this.isLoaded = true;
    this.soon();
  }

  change(change) {
    const active = this.rows[this.active]?.id;
    if (change.what === 'added') {
      this.rows.splice(change.at, 0, change.row);
      this.total += 1;
    } else if (change.what === 'removed') {
      const [gone] = this.rows.splice(change.at, 1);
      this.total -= 1;
      if (gone) this.selected.delete(gone.id);
    } else {
      this.rows.splice(change.was, 1);
      this.rows.splice(change.at, 0, change.row);
    }
    const place = this.rows.findIndex((row) => row.id === active);
    this.active = place >= 0 ? place : Math.min(this.active, Math.max(0, this.rows.length - 1));
    this.soon();
  }

  // MARK: Drawing

  soon() {
    if (this.isDue) return;
    this.isDue = true;
    requestAnimationFrame(() => { this.isDue = false; this.draw(); });
  }

  draw() {
    // First: what is hidden has no place in the window.
    this.showEmpty();
    this.box.style.height = `${Math.max(1, this.total) * HEIGHT}px`;
    const top = -this.box.getBoundingClientRect().top;
    let first = Math.max(0, Math.floor(top / HEIGHT) - AROUND);
    let last = Math.min(this.rows.length, Math.ceil((top + innerHeight) / HEIGHT) + AROUND);
    if (this.box.offsetParent === null) [first, last] = [0, 0];
    const places = [];
    for (let place = first; place < last; place += 1) places.push(place);
    // The active row stays, because the list names it as the one that has the focus.
    if (this.rows[this.active] && (this.active < first || this.active >= last)) places.push(this.active);
    while (this.slots.length < places.length) this.slots.push(this.slot());
    this.slots.forEach((slot, index) => this.fill(slot, places[index]));
    const active = this.rows[this.active];
    if (active) this.box.setAttribute('aria-activedescendant', 'row-' + active.id);
    else this.box.removeAttribute('aria-activedescendant');
  }

  // Without rows the words in their place have the focus and take the keys: to undo, to move here.
  showEmpty(takesFocus = [this.box, find('empty')].includes(document.activeElement)) {
    const empty = find('empty');
    empty.hidden = this.total > 0;
    empty.textContent = t(this.isLoaded ? 'empty' : 'loading');
    this.box.hidden = !empty.hidden;
    if (takesFocus) (this.total > 0 ? this.box : empty).focus({ preventScroll: true });
  }

  focus() { this.showEmpty(true); }

  slot() {
    const parts = { kind: make('span'), title: make('span', { className: 'title' }), meta: make('span', { className: 'meta' }) };
    const row = make('div', { className: 'row', role: 'option', draggable: true },
      make('span', { className: 'tick' }, make('i')), parts.kind, make('span', { className: 'words' }, parts.title, parts.meta));
    row.parts = parts;
    this.box.append(row);
    return row;
  }

  fill(slot, place) {
    const row = place === undefined ? undefined : this.rows[place];
    slot.hidden = !row;
    if (!row) {
      slot.removeAttribute('id');
      slot.classList.remove('active');
      slot.row = null;
      return;
    }
    const isSelected = this.selected.has(row.id);
    slot.style.transform = `translateY(${place * HEIGHT}px)`;
    slot.classList.toggle('active', place === this.active);
    slot.classList.toggle('cut', this.cut.has(row.id));
    if (slot.row === row && slot.place === place && slot.isSelected === isSelected && slot.total === this.total) return;
    Object.assign(slot, { row, place, isSelected, total: this.total, id: 'row-' + row.id });
    slot.setAttribute('aria-selected', isSelected);
    slot.setAttribute('aria-setsize', this.total);
    slot.setAttribute('aria-posinset', place + 1);
    slot.classList.toggle('unheard', row.kind === 'recording' ? row.heard === false : row.unheard > 0);
    slot.classList.toggle('live', row.stage === 'recording');
    slot.parts.kind.className = 'kind ' + row.kind;
    slot.parts.title.textContent = row.title;
    slot.parts.meta.textContent = describe(row);
  }

  // MARK: Hands

  click(event) {
    const slot = event.target.closest('.row');
    if (!slot?.row) return;
    this.active = slot.place;
    if (event.target.closest('.tick') || event.ctrlKey || event.metaKey) this.toggle(slot.row);
    else this.act.open(slot.row);
    this.soon();
  }

  toggle(row) {
    if (!this.selected.delete(row.id)) this.selected.add(row.id);
    this.act.selection();
    this.soon();
  }

  /** The rows that an action is about: those selected, or else the active one. */
  chosen() {
    if (this.selected.size) return this.rows.filter((row) => this.selected.has(row.id));
    return this.rows[this.active] ? [this.rows[this.active]] : [];
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const page = Math.max(1, Math.floor(innerHeight / HEIGHT) - 2);
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity };
    const row = this.rows[this.active];
    if (event.key in steps) {
      this.active = Math.max(0, Math.min(this.rows.length - 1, this.active + steps[event.key]));
      if (event.shiftKey && row && this.rows[this.active]) {
        this.selected.add(row.id);
        this.selected.add(this.rows[this.active].id);
        this.act.selection();
      }
      this.reveal();
    } else if (event.key === 'Enter' && row) this.act.open(row);
    else if (event.key === ' ' && row) this.toggle(row);
    else if (!this.act.key(event)) return;
    event.preventDefault();
    this.soon();
  }

  reveal() {
    const box = this.box.getBoundingClientRect();
    const top = box.top + this.active * HEIGHT;
    if (top < 8) scrollBy(0, top - 8);
    else if (top + HEIGHT > innerHeight - 8) scrollBy(0, top + HEIGHT - innerHeight + 8);
  }

  // MARK: Dragging, onto a folder here or a folder above

  drag() {
    let ids = [];
    const target = (event) => event.target.closest?.('.row, #path button');
    const folder = (element) => element?.row?.kind === 'folder' ? element.row.id : element?.folderID;
    const light = (element, isOn) => element?.classList.toggle('drop', isOn);
    document.addEventListener('dragstart', (event) => {
      const row = event.target.closest?.('.row')?.row;
      if (!row || !this.act.mayChange()) return event.preventDefault();
      ids = this.selected.has(row.id) ? [...this.selected] : [row.id];
      event.dataTransfer.effectAllowed = 'move';
      event.dataTransfer.setData('text/plain', row.title);
    });
    document.addEventListener('dragover', (event) => {
      const to = folder(target(event));
      if (!ids.length || !to || ids.includes(to)) return;
      event.preventDefault();
      light(target(event), true);
    });
    document.addEventListener('dragleave', (event) => light(target(event), false));
    document.addEventListener('dragend', () => { ids = []; });
    document.addEventListener('drop', (event) => {
      const to = folder(target(event));
      light(target(event), false);
      if (!ids.length || !to) return;
      event.preventDefault();
      this.act.drop(ids, to);
      ids = [];
    });
  }
}

export function describe(row) {
  if (row.kind === 'folder') return t('counts', row.recordings ?? 0, row.unheard ?? 0);
  const words = [];
  if (row.number) words.push('#' + row.number);
  if (row.stage === 'recording' || row.stage === 'closing') words.push(t('inProgress'));
  else words.push(clock(row.milliseconds));
  if (row.heard === false) words.push(t('isUnheard'));
  if (row.began) words.push(row.began + (row.isUnsure ? ` (${t('unsure')})` : ''));
  if (row.part > 1) words.push(t('partOf', row.part));
  if (row.marks) words.push(t('markCount', row.marks));
  if (row.gaps) words.push(t('gapCount', row.gaps));
  if (row.recovered) words.push(t('recovered'));
  return words.join(' · ');
}
