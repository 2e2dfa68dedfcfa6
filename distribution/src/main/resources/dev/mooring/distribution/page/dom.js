// SPDX-License-Identifier: Apache-2.0
// Names of objects are text that others have chosen: they become text, never markup.

const LOOKS = {
  Bound: 'good', Attached: 'good', Mounted: 'good', Running: 'good', Ready: 'good', Succeeded: 'good', Well: 'good', Available: 'good',
  Pending: 'wait', Terminating: 'wait', Released: 'wait', Detaching: 'wait', Attaching: 'wait', Mounting: 'wait', Unmounting: 'wait',
  Cordoned: 'wait', Lost: 'bad', Failed: 'bad', NotReady: 'bad', Missing: 'bad',
};
export const TITLES = {
  claims: 'Claims', volumes: 'Volumes', attachments: 'Attachments', pods: 'Pods', nodes: 'Nodes', namespaces: 'Namespaces',
  classes: 'Classes', mounts: 'Mounts of this node',
};
export const SINGLE = { claims: 'Claim', volumes: 'Volume', attachments: 'Attachment', pods: 'Pod', nodes: 'Node', mounts: 'Mount' };

const TEXTS = new WeakMap();
let skew = 0;

export const by = (id) => document.getElementById(id);

export function look(state) {
  return LOOKS[state] || (state && state.endsWith('to look at') ? 'wait' : 'other');
}

export function el(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) if (value !== undefined && value !== null) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

// A long name may be broken behind its separators, and nowhere else.
export function breakable(text) {
  const parts = document.createDocumentFragment();
  for (const part of String(text).split(/(?<=[-./:_,@=])/)) parts.append(part, document.createElement('wbr'));
  if (parts.lastChild) parts.lastChild.remove();
  return parts;
}

// Draws only what differs from what was drawn there before, so that focus and selection stay.
export function put(target, value, make) {
  const text = JSON.stringify(value);
  if (TEXTS.get(target) === text) return;
  TEXTS.set(target, text);
  target.replaceChildren(make(value));
}

export function address(link) {
  const place = [link.kind, ...(link.namespace ? [link.namespace] : []), link.name].map(encodeURIComponent);
  return `#/${place.join('/')}`;
}

export function anchor(link, text) {
  const full = link.namespace ? `${link.namespace}/${link.name}` : link.name;
  const made = el('a', { href: address(link), title: `${SINGLE[link.kind]} ${full}` });
  made.append(breakable(text || full));
  return made;
}

export function links(all) {
  const parts = document.createDocumentFragment();
  all.forEach((each, index) => {
    if (index) parts.append(', ');
    parts.append(typeof each === 'string' ? each : anchor(each));
  });
  return parts;
}

// ---- time ----

export function serverTime(now) {
  skew = Date.parse(now) - Date.now();
}

export function ago(at) {
  const seconds = Math.max(0, Math.round((Date.now() + skew - Date.parse(at)) / 1000));
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 7200) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 172800) return `${Math.floor(seconds / 3600)} h`;
  return `${Math.floor(seconds / 86400)} d`;
}

export function since(at) {
  return el('time', { datetime: at, title: at }, ago(at));
}

export function tick(within) {
  for (const each of within.querySelectorAll('time')) {
    const text = ago(each.dateTime);
    if (each.textContent !== text) each.textContent = text;
  }
}

export function stateOf(row) {
  const parts = document.createDocumentFragment();
  parts.append(el('span', { class: look(row.state) }, row.state));
  if (row.since) parts.append(' ', el('span', { class: 'quiet' }, 'for ', since(row.since)));
  if (row.why) parts.append(row.since ? ': ' : ' – ', el('span', { class: 'why' }, breakable(row.why)));
  return parts;
}

export function plural(count, what) {
  return `${count.toLocaleString('en')} ${what}`;
}

// A kind as it stands behind a number.
export function titled(kind, count) {
  return (count === 1 && kind in SINGLE ? SINGLE[kind] : TITLES[kind]).toLowerCase();
}

// Parts of a whole, for the eye; the words beside it say the same.
export function bar(states) {
  const NS = 'http://www.w3.org/2000/svg';
  const svg = document.createElementNS(NS, 'svg');
  svg.setAttribute('class', 'bar');
  svg.setAttribute('viewBox', '0 0 100 10');
  svg.setAttribute('preserveAspectRatio', 'none');
  svg.setAttribute('aria-hidden', 'true');
  const total = Object.values(states).reduce((sum, each) => sum + each, 0);
  let at = 0;
  for (const [state, count] of Object.entries(states)) {
    const part = svg.appendChild(document.createElementNS(NS, 'rect'));
    // What has to be seen is never too thin for it.
    const width = Math.max((count / total) * 100, 2);
    part.setAttribute('class', look(state));
    part.setAttribute('x', at);
    part.setAttribute('width', width);
    part.setAttribute('height', 10);
    at += width;
  }
  svg.setAttribute('viewBox', `0 0 ${Math.max(at, 1)} 10`);
  return svg;
}
