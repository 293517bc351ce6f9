// Small helpers: elements, dialogs, times. No markup is ever made from text.
import { t } from './words.js';

export const find = (id) => document.getElementById(id);

/** Makes an element: properties, then children. */
export function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (name in element && name !== 'list') element[name] = value;
    else element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

export const button = (label, onclick, properties = {}) =>
  make('button', { type: 'button', textContent: label, onclick, ...properties });

let toastTimer;
export function toast(text) {
  clearTimeout(toastTimer);
  find('toast').textContent = text;
  toastTimer = setTimeout(() => { find('toast').textContent = ''; }, 6000);
}

/** Asks for a text; null if it was given up. */
export function askText(title, value = '') {
  const input = make('input', { value, maxLength: 200, autocomplete: 'off' });
  input.setAttribute('aria-labelledby', 'dialog-title');
  return show(title, input, t('ok'), () => input.value, input);
}

/** Asks whether to do something. */
export const confirm = (question) => show(question, null, t('yes'), () => true, null);

function show(title, content, yes, result, input) {
  const dialog = find('dialog');
  return new Promise((resolve) => {
    let answer = null;
    const accept = () => { answer = result(); dialog.close(); };
    dialog.replaceChildren(
      make('h2', { id: 'dialog-title', textContent: title }),
      ...(content ? [content] : []),
      make('div', { className: 'buttons' },
        button(yes, accept, { className: 'main' }), button(t('cancel'), () => dialog.close())));
    input?.addEventListener('keydown', (event) => {
      if (event.key === 'Enter' && !event.isComposing) { event.preventDefault(); accept(); }
    });
    dialog.onclose = () => resolve(answer);
    dialog.showModal();
    input?.select();
  });
}

/** 3:07, or 1:02:03. */
export function clock(milliseconds) {
  const all = Math.max(0, Math.floor((milliseconds ?? 0) / 1000));
  const [hours, minutes, seconds] = [Math.floor(all / 3600), Math.floor(all / 60) % 60, all % 60];
  const two = (number) => String(number).padStart(2, '0');
  return hours ? `${hours}:${two(minutes)}:${two(seconds)}` : `${minutes}:${two(seconds)}`;
}

/** 5 d, 3 h, 12 min. */
export function span(seconds) {
  if (seconds >= 172800) return `${Math.floor(seconds / 86400)} d`;
  if (seconds >= 7200) return `${Math.floor(seconds / 3600)} h`;
  return `${Math.max(0, Math.floor(seconds / 60))} min`;
}
