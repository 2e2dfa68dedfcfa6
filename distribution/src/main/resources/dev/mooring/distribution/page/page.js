// SPDX-License-Identifier: Apache-2.0
// Names of objects are anybody's words: they become text, never markup.
'use strict';

const PERIOD = 2000;
const COLUMNS = {
  claims: ['name', 'phase', 'volume', 'size', 'class'],
  volumes: ['name', 'phase', 'size', 'claim', 'class', 'policy', 'source'],
  attachments: ['volume', 'state', 'node', 'attacher', 'error'],
  mounts: ['volume', 'state', 'for', 'plugin', 'path'],
};
// What is explained, and which column asks for it.
const EXPLAINED = {
  claims: { kind: 'PersistentVolumeClaim', column: 'name', title: 'Claim' },
  volumes: { kind: 'PersistentVolume', column: 'name', title: 'Volume' },
  attachments: { kind: 'VolumeAttachment', column: 'volume', title: 'Attachment of' },
};
const LOOKS = {
  Bound: 'good', attached: 'good', mounted: 'good',
  Pending: 'wait', Terminating: 'wait', Released: 'wait', detaching: 'wait', 'not attached': 'wait',
  'being mounted': 'wait', 'being unmounted': 'wait',
  Lost: 'bad', Failed: 'bad',
};

const by = (id) => document.getElementById(id);
let timer = 0;
// What was asked for before somebody logged out is not shown after.
let visit = 0;
let asked = { opener: null, question: '' };

function say(text) {
  if (by('status').textContent !== text) by('status').textContent = text;
}

function show(known) {
  by('login').hidden = known;
  by('world').hidden = !known;
  by('logout').hidden = !known;
}

async function login(token) {
  const answer = await fetch('/ui/login', { method: 'POST', body: token, headers: { 'Content-Type': 'text/plain' } });
  by('refused').textContent = answer.ok ? '' : 'That is not the token.';
  by('token').value = '';
  if (answer.ok) await refresh();
}

async function refresh() {
  clearTimeout(timer);
  const mine = visit;
  try {
    const answer = await fetch('/ui/state');
    if (mine !== visit) return;
    if (answer.status === 401) {
      show(false);
      say('The token is needed.');
      by('token').focus();
      return;
    }
    if (!answer.ok) throw new Error(await answer.text());
    const state = await answer.json();
    if (mine !== visit) return;
    show(true);
    for (const table of Object.keys(COLUMNS)) draw(table, state[table]);
    say(state.deciding ? 'Live' : 'Another process leads; this one stands by.');
  } catch (failure) {
    if (mine !== visit) return;
    say('No answer, trying again.');
  }
  if (!document.hidden) timer = setTimeout(refresh, PERIOD);
}

// Rows are kept as long as their objects are, so that focus and selection stay where they are.
function draw(table, { count, rows }) {
  const body = document.querySelector(`[data-table=${table}] tbody`);
  const kept = new Map([...body.children].map((row) => [row.dataset.key, row]));
  const wanted = rows.map((object) => {
    const row = kept.get(object.key) || newRow(table, object.key);
    fill(table, row, object);
    return row;
  });
  if (rows.length === 0) wanted.push(note(table, 'none'));
  if (count > rows.length) wanted.push(note(table, `and ${count - rows.length} more`));
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

function note(table, text) {
  const row = document.createElement('tr');
  const cell = row.appendChild(document.createElement('td'));
  cell.colSpan = COLUMNS[table].length;
  cell.className = 'empty';
  cell.textContent = text;
  return row;
}

function newRow(table, key) {
  const row = document.createElement('tr');
  row.dataset.key = key;
  COLUMNS[table].forEach((column, index) => {
    const cell = row.appendChild(document.createElement(index === 0 ? 'th' : 'td'));
    if (index === 0) cell.scope = 'row';
    if (EXPLAINED[table] && EXPLAINED[table].column === column) {
      const button = cell.appendChild(document.createElement('button'));
      button.type = 'button';
      button.title = 'Why is it as it is?';
      button.addEventListener('click', () => explain(table, row, button));
    }
  });
  return row;
}

function fill(table, row, object) {
  row.dataset.namespace = object.namespace || '';
  row.dataset.name = object.name || '';
  COLUMNS[table].forEach((column, index) => {
    const cell = row.children[index];
    const text = column === 'name' && object.namespace ? `${object.namespace}/${object.name}` : object[column];
    const target = cell.firstElementChild || cell;
    if (target.textContent !== text) target.textContent = text;
    if (index === 1) cell.className = LOOKS[text] || '';
  });
}

async function explain(table, row, button) {
  const { namespace, name } = row.dataset;
  const { kind, title } = EXPLAINED[table];
  const question = new URLSearchParams({ kind, namespace, name }).toString();
  asked = { opener: button, question };
  let text;
  try {
    const answer = await fetch(`/ui/explain?${question}`);
    text = answer.ok ? (await answer.json()).text : await answer.text();
  } catch (failure) {
    text = 'No answer.';
  }
  if (asked.question !== question) return;
  by('why-title').textContent = `${title} ${button.textContent}`;
  by('why-text').textContent = text;
  by('why').hidden = false;
  by('why').focus();
}

function closeExplanation() {
  asked.question = '';
  if (by('why').hidden) return;
  by('why').hidden = true;
  by('why-title').textContent = '';
  by('why-text').textContent = '';
  if (asked.opener && asked.opener.isConnected) asked.opener.focus();
}

by('login').addEventListener('submit', (event) => {
  event.preventDefault();
  login(by('token').value);
});
by('logout').addEventListener('click', async () => {
  visit++;
  await fetch('/ui/logout', { method: 'POST' });
  closeExplanation();
  for (const table of Object.keys(COLUMNS)) draw(table, { count: 0, rows: [] });
  refresh();
});
by('why-close').addEventListener('click', closeExplanation);
document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') closeExplanation();
});
document.addEventListener('visibilitychange', () => {
  if (!document.hidden) refresh();
});

// https://…/ui/#token=…: the part behind # never leaves the browser, and goes from its history at once.
const given = new URLSearchParams(location.hash.slice(1)).get('token');
if (given) {
  history.replaceState(null, '', location.pathname);
  login(given);
} else {
  refresh();
}
