// SPDX-License-Identifier: Apache-2.0
import { TITLES, anchor, bar, breakable, el, links, plural, put, since, stateOf } from '/ui/dom.js';

export const COLUMNS = {
  claims: { name: 'Name', state: 'State', size: 'Size', modes: 'Access', class: 'Class', volume: 'Volume', pods: 'Pods', node: 'Node', created: 'Age' },
  volumes: { name: 'Name', state: 'State', size: 'Size', modes: 'Access', class: 'Class', claim: 'Claim', pods: 'Pods', node: 'Node', policy: 'Policy', source: 'Source', created: 'Age' },
  attachments: { name: 'Name', state: 'State', volume: 'Volume', node: 'Node', attacher: 'Attacher', created: 'Age' },
  pods: { name: 'Name', state: 'State', claims: 'Claims', node: 'Node', created: 'Age' },
  nodes: { name: 'Name', state: 'State', pods: 'Pods with claims', attachments: 'Attachments', created: 'Age' },
  namespaces: { name: 'Name', state: 'State', claims: 'Claims', count: 'Count' },
  classes: { name: 'Name', state: 'State', claims: 'Claims', volumes: 'Volumes', count: 'Count' },
  mounts: { name: 'Volume', state: 'State', pods: 'Pod', plugin: 'Plugin', path: 'Path' },
};
const WITHOUT_VIEW = ['mounts', 'namespaces', 'classes'];
export const PER_PAGE = 100;

export function hash(kind, query) {
  const kept = Object.entries(query).filter(([name, value]) => value && !(name === 'page' && value === '1'));
  return `#/${kind}${kept.length ? `?${new URLSearchParams(kept)}` : ''}`;
}

// Where the objects of a group are.
export function groupAddress(row, kind = 'claims', state = '') {
  return hash(kind, { q: `${row.kind === 'namespaces' ? 'ns' : 'class'}:${row.name}`, state });
}

export function question(kind, query) {
  const offset = (Math.max(1, Number(query.page) || 1) - 1) * PER_PAGE;
  const asked = { kind, offset, limit: PER_PAGE, q: query.q || '', state: query.state || '', attention: query.attention || '', sort: query.sort || '', dir: query.dir || '' };
  return `/ui/list?${new URLSearchParams(asked)}`;
}

export class ListView {
  constructor(kind, query) {
    this.kind = kind;
    this.query = query;
    this.urls = [question(kind, query)];
    this.title = el('h2', { tabindex: '-1' });
    this.chips = el('div', { class: 'chips', role: 'group', 'aria-label': 'States' });
    this.table = table(kind, query, TITLES[kind]);
    this.pages = el('nav', { class: 'pager', 'aria-label': 'Pages' });
    this.root = el('section', { 'data-table': kind });
    this.root.append(this.title, this.chips, el('div', { class: 'frame' }, this.table), this.pages);
  }

  draw([list]) {
    const first = list.count === 0 ? 0 : list.offset + 1;
    const last = Math.min(list.offset + list.rows.length, list.count);
    const of = list.count === list.total ? list.count.toLocaleString('en') : `${list.count.toLocaleString('en')} found among ${list.total.toLocaleString('en')}`;
    put(this.title, [TITLES[this.kind], first, last, of], () => `${TITLES[this.kind]} ${first}–${last} of ${of}`);
    put(this.chips, [list.states, list.attention], () => this.filters(list));
    rows(this.table, this.kind, list.rows, list.rows.length === 0 ? this.emptiness(list) : '');
    put(this.pages, list.count, () => this.pager(list.count));
  }

  emptiness(list) {
    if (list.total === 0) return `There are no ${TITLES[this.kind].toLowerCase()}.`;
    return list.count > 0 ? 'This page is empty now. Earlier pages have entries.' : 'Nothing is found.';
  }

  filters(list) {
    const parts = document.createDocumentFragment();
    const all = Object.values(list.states).reduce((sum, each) => sum + each, 0);
    const add = (text, count, other, current) => {
      const target = hash(this.kind, { ...this.query, page: '', state: '', attention: '', ...other });
      parts.append(el('a', { href: target, 'aria-current': current ? 'true' : undefined }, plural(count, text)));
    };
    if (all) add('in all', all, {}, !this.query.state && !this.query.attention);
    if (list.attention) add('to look at', list.attention, { attention: 'true' }, this.query.attention);
    for (const [state, count] of Object.entries(list.states)) add(state, count, { state }, this.query.state === state);
    return parts;
  }

  pager(count) {
    const parts = document.createDocumentFragment();
    const pages = Math.ceil(count / PER_PAGE);
    const page = Math.max(1, Number(this.query.page) || 1);
    if (pages <= 1 && page === 1) return parts;
    const to = (number) => hash(this.kind, { ...this.query, page: String(number) });
    if (page > 1) parts.append(el('a', { href: to(1) }, 'First'), el('a', { href: to(page - 1), rel: 'prev' }, 'Previous'));
    parts.append(el('span', {}, `Page ${page} of ${pages}`));
    if (page < pages) parts.append(el('a', { href: to(page + 1), rel: 'next' }, 'Next'), el('a', { href: to(pages) }, 'Last'));
    return parts;
  }
}

export function table(kind, query, caption) {
  const head = el('tr', { role: 'row' });
  for (const [column, label] of Object.entries(COLUMNS[kind])) {
    const cell = el('th', { scope: 'col', role: 'columnheader' });
    if (query) {
      const sorted = query.sort === column;
      const down = sorted && query.dir !== 'desc';
      if (sorted) cell.setAttribute('aria-sort', down ? 'ascending' : 'descending');
      const button = el('button', { type: 'button', title: `Sort by ${label.toLowerCase()}` }, label, sorted ? (down ? ' ▲' : ' ▼') : '');
      button.addEventListener('click', () => {
        location.hash = hash(kind, { ...query, page: '', sort: column, dir: down ? 'desc' : '' });
      });
      cell.append(button);
    } else {
      cell.append(label);
    }
    head.append(cell);
  }
  const made = el('table', { class: 'rows', role: 'table', 'aria-label': caption });
  made.append(el('thead', { role: 'rowgroup' }, head), el('tbody', { role: 'rowgroup' }));
  return made;
}

// Rows are kept as long as their objects are, so that focus and selection stay where they are.
export function rows(target, kind, all, empty) {
  const body = target.tBodies[0];
  const kept = new Map([...body.children].map((row) => [row.dataset.key, row]));
  const wanted = all.map((object) => {
    const row = kept.get(object.key) || newRow(kind, object);
    fill(row, kind, object);
    return row;
  });
  if (empty) {
    const cell = el('td', { colspan: Object.keys(COLUMNS[kind]).length, class: 'note', role: 'cell' }, empty);
    wanted.push(el('tr', { role: 'row' }, cell));
  }
  let place = body.firstChild;
  for (const row of wanted) {
    if (row === place) place = place.nextSibling;
    else body.insertBefore(row, place);
  }
  while (place) {
    const next = place.nextSibling;
    place.remove();
    place = next;
  }
}

function newRow(kind, object) {
  const row = el('tr', { role: 'row', 'data-key': object.key });
  Object.entries(COLUMNS[kind]).forEach(([column, label], index) => {
    row.append(index === 0
      ? el('th', { scope: 'row', role: 'rowheader', class: column })
      : el('td', { role: 'cell', class: column, 'data-label': label }));
  });
  return row;
}

function fill(row, kind, object) {
  Object.keys(COLUMNS[kind]).forEach((column, index) => {
    const cell = row.children[index];
    if (column === 'name') put(cell, object.name, () => nameOf(kind, object));
    else if (column === 'state') put(cell, [object.state, object.since, object.why], () => stateOf(object));
    else if (column === 'created') put(cell, object.created, (at) => (at ? since(at) : ''));
    else put(cell, object[column], (value) => shown(value, object, column));
  });
}

function nameOf(kind, object) {
  if (kind === 'namespaces' || kind === 'classes') {
    return el('a', { href: groupAddress(object) }, breakable(object.name || '(no class)'));
  }
  if (WITHOUT_VIEW.includes(kind)) return object.volume && object.volume.length ? links(object.volume) : breakable(object.name);
  return anchor(object);
}

function shown(value, object, column) {
  if (Array.isArray(value)) return links(value);
  if (value && typeof value === 'object') return counted(value, object, column);
  return breakable(typeof value === 'number' ? value.toLocaleString('en') : value ?? '');
}

// How many of a group are in which state: a bar for the eye, and links with the numbers.
function counted(states, object, column) {
  const parts = document.createDocumentFragment();
  const all = Object.entries(states);
  if (all.length) parts.append(bar(states));
  all.forEach(([state, count], index) => {
    if (index) parts.append(', ');
    parts.append(el('a', { href: groupAddress(object, column, state) }, plural(count, state)));
  });
  return parts;
}
