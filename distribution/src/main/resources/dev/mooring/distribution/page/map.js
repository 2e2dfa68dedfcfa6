// SPDX-License-Identifier: Apache-2.0
// All objects as a picture: of each group those to look at, each as a tile of its own, and below them bars that count what is in which state.
import { SINGLE, address, ago, el, look, plural, put, titled } from '/ui/dom.js';
import { hash } from '/ui/lists.js';

const NS = 'http://www.w3.org/2000/svg';
const WIDTH = 300;
const TILE = 18;
const STEP = 25;
const BAR = 22;
const WAYS = { class: 'class', namespace: 'namespace', node: 'node' };
const NARROW = { class: 'class', namespace: 'ns', node: 'node' };

export class MapView {
  constructor(by) {
    this.by = by in WAYS ? by : 'class';
    this.url = `/ui/map?by=${this.by}`;
    this.root = el('section', { id: 'map', 'aria-label': 'All objects in groups' });
    this.ways = el('nav', { class: 'ways', 'aria-label': 'Grouped by' }, 'Grouped by ');
    for (const way of Object.keys(WAYS)) {
      this.ways.append(el('a', { href: way === 'class' ? '#/' : `#/?by=${way}`, 'aria-current': way === this.by ? 'true' : undefined }, WAYS[way]), ' ');
    }
    this.groups = el('div', { class: 'groups' });
    this.left = el('p', { class: 'note' });
    this.root.append(this.ways, this.groups, this.left);
  }

  draw({ groups, left }) {
    const kept = new Map([...this.groups.children].map((each) => [each.dataset.name, each]));
    const wanted = groups.map((group) => {
      const card = kept.get(group.name) || el('article', { class: 'card', 'data-name': group.name });
      put(card, group, () => this.card(group));
      return card;
    });
    if (wanted.some((each, index) => each !== this.groups.children[index]) || wanted.length !== this.groups.children.length) {
      this.groups.replaceChildren(...wanted);
    }
    put(this.left, left, () => (left ? `and ${plural(left, left === 1 ? 'group' : 'groups')} more, smaller or well` : ''));
  }

  list(kind, name, more) {
    return hash(kind, { q: name ? `${NARROW[this.by]}:${name}` : '', ...more });
  }

  card({ name, count, attention, states, alone }) {
    const parts = document.createDocumentFragment();
    const most = Math.max(...states.map((each) => each.count));
    const said = attention ? `${attention.toLocaleString('en')} of ${count.toLocaleString('en')} to look at` : `${count.toLocaleString('en')}, all well`;
    parts.append(el('h3', {}, name || `(no ${WAYS[this.by]})`, ' ', el('span', { class: attention ? 'wait' : 'quiet' }, said)));
    const perRow = Math.floor((WIDTH + STEP - TILE) / STEP);
    const rows = Math.ceil(alone.length / perRow);
    const top = rows ? rows * STEP + 4 : 0;
    const height = top + states.length * (BAR + 3);
    const drawn = svg('svg', { viewBox: `0 0 ${WIDTH} ${height}`, role: 'group', 'aria-label': `${name || 'none'}: ${said}` });
    alone.forEach((object, index) => {
      const full = object.namespace ? `${object.namespace}/${object.name}` : object.name;
      const words = `${SINGLE[object.kind]} ${full}, ${object.state}${object.since ? ` for ${ago(object.since)}` : ''}`;
      const tile = svg('rect', {
        class: `tile ${look(object.state)}`, x: (index % perRow) * STEP + 1, y: Math.floor(index / perRow) * STEP + 1, width: TILE, height: TILE, rx: 3,
      });
      drawn.append(svg('a', { href: address(object), 'aria-label': words }, svg('title', {}, words), tile));
    });
    states.forEach((each, index) => {
      const y = top + index * (BAR + 3);
      const words = `${each.count.toLocaleString('en')} ${titled(each.kind, each.count)} ${each.state}`;
      // A few among many are still seen.
      const width = Math.max((each.count / most) * WIDTH, 5);
      drawn.append(svg(
        'a', { href: this.list(each.kind, name, { state: each.state }), 'aria-label': words },
        svg('rect', { class: 'ground', x: 0, y, width: WIDTH, height: BAR }),
        svg('rect', { class: `part ${look(each.state)}`, x: 0, y, width, height: BAR }),
        svg('text', { x: 7, y: y + 15.5 }, words),
      ));
    });
    parts.append(drawn);
    if (attention > alone.length) parts.append(el('p', { class: 'note' }, `${(attention - alone.length).toLocaleString('en')} more to look at are in the lists.`));
    return parts;
  }
}

function svg(tag, attributes, ...children) {
  const made = document.createElementNS(NS, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}
