// SPDX-License-Identifier: Apache-2.0
import { SINGLE, TITLES, address, anchor, breakable, el, look, plural, put, stateOf, titled } from '/ui/dom.js';
import { hash, rows, table } from '/ui/lists.js';
import { MapView } from '/ui/map.js';

const FIRST = 12;
const COUNTED = ['claims', 'volumes', 'attachments', 'pods', 'nodes', 'mounts'];
const GROUPS = ['namespaces', 'classes'];

// What there is, and first of all what a user has to look at.
export class Overview {
  constructor(query) {
    this.map = new MapView(query.by);
    this.urls = ['/ui/state', this.map.url, ...GROUPS.map((kind) => `/ui/list?kind=${kind}&limit=${FIRST}`)];
    this.title = el('h2', { tabindex: '-1', id: 'attention-title' });
    this.lines = el('ul', { class: 'lines', id: 'attention', 'aria-labelledby': 'attention-title' });
    this.more = el('p', { class: 'note' });
    this.hint = el('div', { id: 'hint' });
    this.cards = el('div', { class: 'cards', id: 'counts' });
    this.groups = el('div');
    this.tables = {};
    this.rests = {};
    for (const kind of GROUPS) {
      this.tables[kind] = table(kind, null, TITLES[kind]);
      this.rests[kind] = el('p', { class: 'note' });
      this.groups.append(el('section', { 'data-table': kind }, el('h3', {}, TITLES[kind]), el('div', { class: 'frame' }, this.tables[kind]), this.rests[kind]));
    }
    this.root = el('section', {}, this.title, this.lines, this.more, this.hint, el('h2', {}, 'What there is'), this.cards, this.map.root, this.groups);
  }

  draw([state, map, ...groups]) {
    this.map.draw(map);
    const nothing = state.kinds.claims.count + state.kinds.volumes.count === 0;
    put(this.title, [state.attention, nothing], () => (state.attention
      ? `${plural(state.attention, 'to look at')}, the longest wait first`
      : nothing ? 'There are no claims and no volumes yet' : 'Nothing needs attention'));
    this.attention(state);
    put(this.hint, nothing, () => (nothing ? emptyHint() : ''));
    put(this.cards, state.kinds, () => cards(state.kinds));
    groups.forEach((group, index) => {
      const kind = GROUPS[index];
      rows(this.tables[kind], kind, group.rows, group.rows.length ? '' : 'none');
      put(this.rests[kind], group.count, () => (group.count > FIRST ? el('a', { href: `#/${kind}` }, `All ${group.count.toLocaleString('en')} ${kind}`) : ''));
    });
  }

  attention(state) {
    const kept = new Map([...this.lines.children].map((line) => [line.dataset.key, line]));
    const wanted = state.rows.map((row) => {
      const line = kept.get(row.key) || el('li', { 'data-key': row.key });
      put(line, [row.state, row.since, row.why], () => {
        const parts = document.createDocumentFragment();
        parts.append(`${SINGLE[row.kind]} `, anchor(row), ' ', stateOf(row));
        return parts;
      });
      return line;
    });
    let place = this.lines.firstChild;
    for (const line of wanted) {
      if (line === place) place = place.nextSibling;
      else this.lines.insertBefore(line, place);
    }
    while (place) {
      const next = place.nextSibling;
      place.remove();
      place = next;
    }
    const left = state.attention - state.rows.length;
    const kinds = COUNTED.filter((kind) => state.kinds[kind].attention > 0);
    put(this.more, [left, left > 0 ? kinds.map((kind) => state.kinds[kind].attention) : []], () => {
      const parts = document.createDocumentFragment();
      if (left <= 0) return parts;
      parts.append(`and ${left.toLocaleString('en')} more:`);
      for (const kind of kinds) {
        parts.append(' ', el('a', { href: hash(kind, { attention: 'true' }) }, plural(state.kinds[kind].attention, TITLES[kind].toLowerCase())));
      }
      return parts;
    });
  }
}

function cards(kinds) {
  const parts = document.createDocumentFragment();
  for (const kind of COUNTED) {
    const { count, states } = kinds[kind];
    const list = el('ul');
    for (const [state, number] of Object.entries(states)) {
      list.append(el('li', {}, el('a', { href: hash(kind, { state }), class: look(state) }, state), el('span', {}, number.toLocaleString('en'))));
    }
    parts.append(el('div', { class: 'card' }, el('h3', {}, el('a', { href: `#/${kind}` }, plural(count, titled(kind, count)))), list));
  }
  return parts;
}

function emptyHint() {
  const parts = document.createDocumentFragment();
  parts.append(
    el('p', {}, 'Make a volume, a claim and a pod, in a shell in the directory of Mooring, with the kubeconfig of this process:'),
    el('pre', {}, 'mkdir -p /srv/disk\nkubectl apply -f docs/examples/standalone.yaml'),
    el('p', {}, 'They appear here by themselves.'),
  );
  return parts;
}
