// One recording: its waveform, the player of this browser, its marks, and what people write about it.
// It is read anew whenever the stream says that it changed; a text that is being edited stays.
import { get, send, tell } from './api.js';
import { askText, button, clock, find, make, toast } from './dom.js';
import { t } from './words.js';

const QUIET = 32767 * 10 ** (-42 / 20);

export class Detail {
  constructor(run, role, close) {
    Object.assign(this, { run, role, close, item: null, wave: null });
    this.audio = make('audio', { preload: 'metadata' });
    for (const name of ['play', 'pause', 'loadedmetadata', 'ended', 'ratechange'])
      this.audio.addEventListener(name, () => this.follow());
    this.audio.addEventListener('timeupdate', () => this.follow());
    this.audio.addEventListener('error', () => this.audio.src && this.item && this.complain());
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.draw());
    addEventListener('resize', () => this.draw());
  }

  get may() { return this.role() === 'control'; }

  async open(id) {
    if (this.id !== id) this.hide();
    this.id = id;
    await this.refresh();
    find('detail-title')?.focus();
  }

  hide() {
    this.audio.pause();
    this.audio.removeAttribute('src');
    Object.assign(this, { id: null, item: null, wave: null, isCounted: false });
    find('detail').hidden = true;
    find('detail').replaceChildren();
  }

  async refresh() {
    const id = this.id;
    let item;
    try {
      item = (await send(['info', '--', id])).item;
    } catch (error) {
      if (this.id !== id) return;
      if (error.code === 'notFound' || error.status === 404) return this.close();
      throw error;
    }
    if (this.id !== id || item.kind !== 'recording') return;
    const isNew = this.item?.id !== id;
    const wasFinished = this.isFinished;
    this.item = item;
    if (isNew) this.build();
    this.show();
    if (this.isFinished && (isNew || !wasFinished)) this.load();
  }

  get isFinished() { return this.item && !['recording', 'closing'].includes(this.item.stage); }

  async load() {
    const id = this.id;
    if (this.role() !== 'look') this.audio.src = `/api/sound/${id}`;
    try {
      const wave = await get(`/api/waveform/${id}`);
      if (this.id === id) { this.wave = wave; this.draw(); }
    } catch (error) { toast(error.message); }
  }

  // MARK: Building, once for each recording

  build() {
    const mayListen = this.role() !== 'look';
    this.parts = {
      title: make('h2', { id: 'detail-title', tabIndex: -1 }), facts: make('dl', { className: 'facts' }),
      canvas: make('canvas', { 'aria-hidden': 'true', onclick: (event) => this.seekTo(event) }),
      play: button(t('play'), () => this.toggle(), { className: 'main' }),
      time: make('span', { className: 'quiet' }),
      position: make('input', { id: 'position', type: 'range', min: 0, step: 1, oninput: () => this.jump(this.parts.position.value), 'aria-label': t('position') }),
      speed: make('select', { onchange: () => { this.audio.playbackRate = Number(this.parts.speed.value); } },
        ...[0.5, 0.75, 1, 1.25, 1.5, 2].map((rate) => make('option', { value: rate, textContent: `${rate}×`, selected: rate === 1 }))),
      skip: make('input', { type: 'checkbox' }), marks: make('ul', { className: 'marks' }),
      downloads: make('div', { className: 'buttons' }), track: make('select', { onchange: () => this.choose() }),
      problem: make('p', { role: 'alert' }), fields: {},
    };
    const { parts } = this;
    find('detail').replaceChildren(
      make('div', { className: 'buttons' }, button(t('close'), () => this.close()),
        this.may ? button(t('rename'), () => this.rename()) : null,
        this.may ? button(t('playThere'), () => this.run(() => send(['play', '--', this.id]))) : null),
      parts.title, parts.facts, make('div', { id: 'wave' }, parts.canvas),
      ...(mayListen ? this.player() : [make('p', { textContent: t('mayNotListen') })]),
      make('h3', { textContent: t('marks') }), parts.marks,
      this.may && mayListen ? button(t('markAdd'), () => this.addMark()) : '',
      make('h3', { textContent: t('about') }), ...this.about());
    find('detail').hidden = false;
  }

  player() {
    const { parts } = this;
    return [parts.position, parts.problem,
      make('div', { className: 'buttons' }, parts.play,
        button('−10 s', () => this.jump(this.audio.currentTime * 1000 - 10000)),
        button('+10 s', () => this.jump(this.audio.currentTime * 1000 + 10000)), parts.time),
      make('div', { className: 'buttons' },
        make('label', {}, make('span', { textContent: t('speed') }), parts.speed),
        make('label', { className: 'check' }, parts.skip, make('span', { textContent: t('skipSilence') })),
        this.trackLabel = make('label', {}, make('span', { textContent: t('track') }), parts.track)),
      parts.downloads];
  }

  about() {
    return [['place', 'place'], ['speaker', 'speaker'], ['notes', 'note']].map(([key, verb]) => {
      const field = make(key === 'notes' ? 'textarea' : 'input', { maxLength: key === 'notes' ? 4000 : 200, readOnly: !this.may });
      this.parts.fields[key] = field;
      field.addEventListener('change', () => this.run(async () => {
        await send([verb, '--', this.id, field.value]);
        toast(t('saved'));
      }));
      return make('label', {}, make('span', { textContent: t(key) }), field);
    });
  }

  // MARK: Showing, whenever it changed

  show() {
    const { item, parts } = this;
    parts.title.textContent = item.title;
    const lines = [
      ['number', `#${item.sequence}` + (item.part > 1 ? `, ${t('partOf', item.part)}` : '')],
      ['date', item.began?.local + (item.began?.synchronised === false ? ` (${t('unsure')})` : '')],
      ['length', this.isFinished ? clock(item.lengthMilliseconds) : t('inProgress')],
      ['folderOf', item.folder],
      ['gaps', item.integrity?.gaps?.map((gap) => `${clock(gap.frame * 1000 / item.rate)}: ${clock(gap.frames * 1000 / item.rate)}`).join(', ')],
      ['loudness', item.integrity?.loudnessLUFS !== undefined ? `${item.integrity.loudnessLUFS.toFixed(1)} LUFS` : ''],
      ['copiesOf', item.copies?.map((copy) => `${copy.target}: ${t('copy_' + copy.state)}`).join(', ')],
    ];
    if (item.stage === 'recovered' || item.integrity?.recovered) lines.push(['recovered', '✓']);
    parts.facts.replaceChildren(...lines.filter(([, text]) => text).flatMap(([key, text]) =>
      [make('dt', { textContent: t(key) }), make('dd', { textContent: text })]));
    for (const [key, field] of Object.entries(parts.fields))
      if (document.activeElement !== field) field.value = item[key] ?? '';
    parts.position.max = item.lengthMilliseconds ?? 0;
    this.showTracks();
    this.showMarks();
    this.draw();
    this.follow();
  }

  showTracks() {
    const { item, parts } = this;
    const tracks = item.tracks ?? [];
    if (this.trackLabel) this.trackLabel.hidden = tracks.length < 2;
    const names = tracks.map((track) => track.name).join('\n');
    if (parts.track.shown === names) return;
    parts.track.shown = names;
    parts.track.replaceChildren(...tracks.map((track) => make('option', { value: track.name, textContent: track.name })));
    const link = (track, address, format) => make('a', {
      href: `${address}track=${encodeURIComponent(track.name)}`, download: '',
      textContent: t('download') + (tracks.length > 1 ? ` ${track.name}` : '') + ` (${format})`,
    });
    parts.downloads.replaceChildren(...(this.isFinished ? tracks : []).flatMap((track) => [
      link(track, `/api/sound/${item.id}?save=1&`, track.format),
      ...(track.format === 'wav' ? [] : [link(track, `/api/wav/${item.id}?`, 'wav')]),
    ]));
  }

  showMarks() {
    const { item } = this;
    const marks = item.marks ?? [];
    const rows = marks.map((mark, index) => {
      const name = mark.name || t('markName', index + 1);
      const line = make('li', {}, button(`${clock(mark.milliseconds)} ${name}`, () => this.jump(mark.milliseconds)));
      if (this.may) {
        const change = (words) => this.run(() => send(words));
        line.append(
          button(t('rename'), async () => {
            const text = await askText(t('markLabel'), mark.name);
            if (text !== null) change(['mark', 'rename', '--', item.id, `${index + 1}`, ...(text ? [text] : [])]);
          }, { 'aria-label': `${t('rename')}: ${name}` }),
          button(t('markHere'), () => change(['mark', 'move', '--', item.id, `${index + 1}`, this.audio.currentTime.toFixed(3)]), { 'aria-label': `${t('markHere')}: ${name}` }),
          button(t('markRemove'), () => change(['mark', 'remove', '--', item.id, `${index + 1}`]), { 'aria-label': `${t('markRemove')}: ${name}` }));
      }
      return line;
    });
    this.parts.marks.replaceChildren(...(rows.length ? rows : [make('li', { className: 'quiet', textContent: t('noMarks') })]));
  }

  async addMark() {
    const at = this.audio.currentTime.toFixed(3);
    const name = await askText(t('markLabel'));
    if (name !== null) this.run(() => send(['mark', 'add', '--', this.id, at, ...(name ? [name] : [])]));
  }

  async rename() {
    const name = await askText(t('newName'), this.item.title);
    if (name?.trim()) this.run(() => send(['rename', '--', this.id, name.trim()]));
  }

  // MARK: The waveform

  draw() {
    const { wave, item } = this;
    if (!item || find('detail').hidden) return;
    const { canvas } = this.parts;
    const [width, height] = [canvas.clientWidth, canvas.clientHeight];
    const scale = devicePixelRatio || 1;
    canvas.width = width * scale;
    canvas.height = height * scale;
    const context = canvas.getContext('2d');
    context.scale(scale, scale);
    const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name);
    const long = (item.lengthMilliseconds || 1);
    const played = this.audio.currentTime * 1000 / long * width;
    const peaks = wave?.peaks ?? [];
    for (let x = 0; x < width; x += 2) {
      const peak = peaks[Math.floor(x / width * peaks.length)] ?? 0;
      // Six decibels of level are a step in height, as in reelctl's waveform.
      const loud = peak > 0 ? Math.max(0, 1 + 20 * Math.log10(peak / 32767) / 54) : 0;
      const tall = Math.max(1, loud * height);
      context.fillStyle = colour(x < played ? '--accent' : '--wave');
      context.fillRect(x, (height - tall) / 2, 1.4, tall);
    }
    context.fillStyle = colour('--record');
    for (const gap of item.integrity?.gaps ?? [])
      context.fillRect(gap.frame / item.frames * width, height - 6, Math.max(2, gap.frames / item.frames * width), 6);
    context.fillStyle = colour('--warn');
    for (const mark of item.marks ?? []) context.fillRect(mark.milliseconds / long * width - 1, 0, 2, height);
    context.fillStyle = colour('--text');
    context.fillRect(played, 0, 1.5, height);
  }

  seekTo(event) {
    const box = this.parts.canvas.getBoundingClientRect();
    this.jump((event.clientX - box.left) / box.width * this.item.lengthMilliseconds);
  }

  // MARK: Playing

  toggle() {
    if (this.audio.paused) this.audio.play().catch(() => this.complain());
    else this.audio.pause();
  }

  complain() {
    tell(this.parts.problem, '');
    this.parts.problem.textContent = t('cannotPlay');
  }

  choose() {
    const at = this.audio.currentTime;
    const isPlaying = !this.audio.paused;
    this.audio.src = `/api/sound/${this.id}?track=${encodeURIComponent(this.parts.track.value)}`;
    this.audio.currentTime = at;
    if (isPlaying) this.toggle();
  }

  jump(milliseconds) {
    this.audio.currentTime = Math.max(0, milliseconds / 1000);
    this.follow();
  }

  follow() {
    if (!this.item || !this.parts) return;
    const { parts, audio, item } = this;
    const at = audio.currentTime * 1000;
    parts.play.textContent = t(audio.paused ? 'play' : 'pause');
    parts.time.textContent = `${clock(at)} / ${clock(item.lengthMilliseconds)}`;
    parts.position.value = at;
    parts.position.setAttribute('aria-valuetext', parts.time.textContent);
    if (audio.playbackRate !== Number(parts.speed.value)) audio.playbackRate = Number(parts.speed.value);
    if (!audio.paused) { this.skipSilence(at); this.count(at); }
    this.draw();
  }

  // Goes on where the next loud moment begins, if the silence is longer than a second and a half.
  skipSilence(at) {
    const peaks = this.wave?.peaks;
    if (!this.parts.skip.checked || !peaks?.length) return;
    const step = this.item.lengthMilliseconds / peaks.length;
    let place = Math.floor(at / step);
    while (place < peaks.length && peaks[place] < QUIET) place += 1;
    const next = place * step - 200;
    if (place < peaks.length && next - at > 1500) this.audio.currentTime = next / 1000;
  }

  // As at the recorder: what was played beyond its half was heard.
  count(at) {
    if (this.isCounted || this.item.heard || at < this.item.lengthMilliseconds / 2) return;
    this.isCounted = true;
    if (this.may) send(['heard', '--', this.id]).catch(() => {});
  }
}
