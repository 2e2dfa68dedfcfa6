// SPDX-License-Identifier: Apache-2.0
import { Acts } from '/ui/acts.js';
import { inWords, picture } from '/ui/graph.js';
import { SINGLE, breakable, el, links, put, since, stateOf } from '/ui/dom.js';
import { COLUMNS } from '/ui/lists.js';

// By Kubernetes' names, which the explanation goes by.
const EXPLAINED = {
  claims: 'PersistentVolumeClaim', volumes: 'PersistentVolume', attachments: 'VolumeAttachment', pods: 'Pod', nodes: 'Node',
};

// An explanation looks at all objects: a change of another object asks for it again only after so many milliseconds.
const AGAIN = 10000;
const NEVER = { row: '', version: '', again: 0 };

// One object and what belongs to it.
export class ObjectView {
  constructor(link, back) {
    this.link = link;
    const named = new URLSearchParams(link);
    this.urls = [`/ui/object?${named}`];
    const kind = EXPLAINED[link.kind];
    this.explanation = kind ? `/ui/explain?${new URLSearchParams({ ...link, kind })}` : '';
    this.now = NEVER;
    this.asked = NEVER;
    const full = link.namespace ? `${link.namespace}/${link.name}` : link.name;
    this.title = el('h2', { tabindex: '-1', id: 'object-title' }, `${SINGLE[link.kind]} `, breakable(full));
    this.state = el('p', { id: 'object-state' });
    this.facts = el('dl');
    this.graph = el('div', { class: 'frame', id: 'graph' });
    this.words = el('div');
    this.why = el('pre', { id: 'why-text', tabindex: '0', 'aria-label': 'Why it is as it is' });
    this.root = el('article', { 'aria-labelledby': 'object-title' });
    this.root.append(el('p', {}, el('a', { href: back, id: 'back' }, '← Back to the list')), this.title, this.state);
    this.root.append(this.graph, this.words);
    if (this.explanation) this.root.append(el('h3', {}, 'Why it is as it is'), this.why);
    this.acts = new Acts(link, () => window.dispatchEvent(new Event('act')));
    this.root.append(this.acts.root, el('h3', {}, 'What it is'), this.facts);
    this.life = el('ol', { class: 'lines', id: 'life' });
    this.begun = el('p', { class: 'note' });
    this.root.append(el('h3', {}, 'What happened, the newest first'), this.life, this.begun);
  }

  draw([object]) {
    const { row, labels } = object;
    put(this.life, object.life, (all) => lifeLine(all));
    put(this.begun, object.begun, () => `What Mooring decided and what changed is kept in the process since ${clock(object.begun)}, as far as there is room, and is lost when it ends.`);
    if (!row) {
      this.gone();
      return;
    }
    put(this.state, [row.state, row.since, row.why], () => stateOf(row));
    put(this.facts, [row, labels], () => facts(row, labels));
    this.acts.draw(object.acts, row);
    this.drawGraph(object.graph);
    this.now = { row: JSON.stringify(row), version: object.version };
    this.explain();
  }

  drawGraph(graph) {
    const focused = this.graph.contains(document.activeElement) ? document.activeElement.getAttribute('href') : '';
    put(this.graph, [graph, window.innerWidth], () => picture(graph));
    if (focused) [...this.graph.querySelectorAll('a')].find((each) => each.getAttribute('href') === focused)?.focus({ preventScroll: true });
    const open = this.words.querySelector('details')?.open;
    put(this.words, graph, () => inWords(graph));
    if (open) this.words.querySelector('details').open = true;
    this.last = graph;
  }

  resized() {
    if (this.last) this.drawGraph(this.last);
  }

  gone() {
    this.now = NEVER;
    this.asked = NEVER;
    put(this.state, 'gone', () => 'It does not exist, or does not exist any more.');
    for (const each of [this.facts, this.graph, this.words]) put(each, 'gone', () => '');
    put(this.why, 'gone', () => '');
    this.acts.draw({ acts: [], token: '' }, {});
  }

  // Asks for the explanation: at once if this object has changed or the last question failed, and after a while if any other has changed.
  // Called at each answer of the server. Only the answer to the last question is shown.
  async explain() {
    const { row, version } = this.now;
    const isDue = row !== this.asked.row || (version !== this.asked.version && performance.now() >= this.asked.again);
    if (!this.explanation || !isDue) return;
    const question = { row, version, again: Infinity };
    this.asked = question;
    let text = '';
    try {
      const answer = await fetch(this.explanation);
      if (answer.ok) text = (await answer.json()).text;
    } catch (failure) {
      // said below
    }
    if (this.asked !== question) return;
    if (text) question.again = performance.now() + AGAIN;
    else this.asked = NEVER;
    const shown = text || 'There is no answer now. It is asked for again.';
    put(this.why, shown, () => explained(shown));
  }
}

// A command stays on one line, however narrow the window is.
function explained(text) {
  const parts = document.createDocumentFragment();
  for (const line of text.split('\n')) {
    parts.append(/^ {4}\S/.test(line) ? el('span', { class: 'command' }, line.trim()) : `${line}\n`);
  }
  if (parts.lastChild.nodeType === Node.TEXT_NODE) parts.lastChild.data = parts.lastChild.data.trimEnd();
  return parts;
}

const SOURCES = { change: 'Change', decision: 'Decision', failure: 'Failure', event: 'Event' };

function clock(at) {
  const time = new Date(at);
  const two = (number) => String(number).padStart(2, '0');
  return `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())} ${two(time.getHours())}:${two(time.getMinutes())}:${two(time.getSeconds())}`;
}

function lifeLine(all) {
  const parts = document.createDocumentFragment();
  for (const { at, source, text, count } of all) {
    const line = el('li', { class: source }, el('span', { class: 'quiet' }, clock(at), ' (', since(at), ' ago) '), el('b', {}, SOURCES[source]), ' ');
    line.append(breakable(text), count > 1 ? ` (${count} times)` : '');
    parts.append(line);
  }
  if (!all.length) parts.append(el('li', { class: 'note' }, 'Nothing is known.'));
  return parts;
}

function facts(row, labels) {
  const parts = document.createDocumentFragment();
  const add = (name, ...value) => parts.append(el('dt', {}, name), el('dd', {}, ...value));
  for (const [column, name] of Object.entries(COLUMNS[row.kind])) {
    const value = row[column];
    if (column === 'name' || column === 'state' || !value || value.length === 0) continue;
    if (column === 'created') add(name, since(value), ' ', el('span', { class: 'quiet' }, value));
    else add(name, Array.isArray(value) ? links(value) : breakable(value));
  }
  for (const [key, value] of Object.entries(labels)) add('Label', breakable(`${key}=${value}`));
  return parts;
}
