// SPDX-License-Identifier: Apache-2.0
import { hold, letGo } from '/ui/acts.js';
import { TITLES, by, el, put, serverTime, tick } from '/ui/dom.js';
import { ListView, hash } from '/ui/lists.js';
import { ObjectView } from '/ui/object.js';
import { Overview } from '/ui/overview.js';

const PERIOD = 2000;
const TYPING = 250;

let timer = 0;
let typing = 0;
// What was asked for by one view, or before a logout, is not shown in the next.
let visit = 0;
let view = null;
let current = '';
let lastList = '#/';
let drawn = false;
let beginning = () => {};
const places = new Map();

function say(text) {
  if (by('status').textContent !== text) by('status').textContent = text;
}

function show(known) {
  by('login').hidden = known;
  by('world').hidden = !known;
  by('logout').hidden = !known;
  if (known) by('refused').textContent = '';
}

async function login(token, unknown) {
  let refused = 'The server did not answer. Try again.';
  try {
    const answer = await fetch('/ui/login', { method: 'POST', body: token, headers: { 'Content-Type': 'text/plain' } });
    if (answer.ok) refused = '';
    else if (answer.status === 401) refused = unknown;
    else refused = `The server cannot take it: ${await answer.text()}`;
  } catch (failure) {
    // said below
  }
  by('refused').textContent = refused;
  by('token').value = '';
  return !refused;
}

// What is open stays so if the link opens nothing; otherwise this shows the form.
async function loginByLink(ticket) {
  await login(ticket, 'This link was used already or is older than 15 minutes.');
  open();
}

// ---- which view ----

function route() {
  const [path, query] = (location.hash.replace(/^#/, '') || '/').split('?');
  const parts = path.split('/').filter(Boolean).map(decode);
  const asked = Object.fromEntries(new URLSearchParams(query || ''));
  if (!(parts[0] in TITLES)) return { view: new Overview(asked), kind: '', query: {} };
  if (parts.length === 1) return { view: new ListView(parts[0], asked), kind: parts[0], query: asked };
  const [kind, ...name] = parts;
  const link = name.length === 1 ? { kind, namespace: '', name: name[0] } : { kind, namespace: name[0], name: name[1] };
  return { view: new ObjectView(link, lastList), kind, query: null };
}

function decode(part) {
  try {
    return decodeURIComponent(part);
  } catch (malformed) {
    return part;
  }
}

function open() {
  visit++;
  const before = current;
  if (drawn) places.set(before, window.scrollY);
  current = location.hash || '#/';
  drawn = false;
  const next = route();
  if (next.query) lastList = current;
  menu(next.kind, next.query || {});
  if (next.query && document.activeElement !== by('q')) by('q').value = next.query.q || '';
  const typed = document.activeElement === by('q');
  view = next.view;
  beginning = () => {
    by('view').replaceChildren(view.root);
    window.scrollTo(0, places.get(current) || 0);
    drawn = true;
    if (typed || !before || before === current) return;
    const opened = next.query ? [...view.root.querySelectorAll('a')].find((each) => each.getAttribute('href') === before) : null;
    (opened || view.title).focus({ preventScroll: true });
  };
  refresh();
}

function menu(kind, query) {
  const q = query.q || '';
  put(by('kinds'), [kind, q], () => {
    const parts = document.createDocumentFragment();
    parts.append(el('a', { href: '#/', 'aria-current': kind ? undefined : 'page' }, 'Overview'));
    for (const [each, title] of Object.entries(TITLES)) {
      parts.append(el('a', { href: hash(each, { q }), 'aria-current': each === kind ? 'page' : undefined }, title));
    }
    return parts;
  });
}

// ---- what it shows ----

async function refresh() {
  clearTimeout(timer);
  const mine = visit;
  const shown = view;
  try {
    const [first, ...others] = shown.urls;
    const known = shown.version ? `${first.includes('?') ? '&' : '?'}version=${shown.version}` : '';
    const answers = [await fetch(first + known)];
    if (answers[0].ok && answers[0].status !== 204) answers.push(...await Promise.all(others.map((url) => fetch(url))));
    if (mine !== visit) return;
    if (answers.some((each) => each.status === 401)) {
      show(false);
      say('The token is needed.');
      by('token').focus();
      return;
    }
    if (answers[0].status === 404 && shown.gone) {
      shown.gone();
      shown.version = '';
    } else if (answers.some((each) => !each.ok)) {
      throw new Error('no answer');
    } else if (answers[0].status !== 204) {
      const all = await Promise.all(answers.map((each) => each.json()));
      if (mine !== visit) return;
      if (all.some((each) => each.deciding === false)) {
        show(true);
        by('view').replaceChildren(el('p', { class: 'note' }, 'The process that leads shows volumes, claims and attachments.'));
        say('Another process leads; this one stands by.');
        timer = setTimeout(() => open(), PERIOD);
        return;
      }
      serverTime(all[0].now);
      const start = performance.now();
      shown.draw(all);
      performance.clearMeasures('draw');
      performance.measure('draw', { start });
      shown.version = all[0].version;
    }
    show(true);
    if (!drawn) beginning();
    tick(by('view'));
    if (shown.explain) shown.explain();
    say('Live');
  } catch (failure) {
    if (mine !== visit) return;
    say('No answer, trying again.');
  }
  if (!document.hidden) timer = setTimeout(refresh, PERIOD);
}

// ---- what people do ----

by('login').addEventListener('submit', async (event) => {
  event.preventDefault();
  const token = by('token').value.trim();
  if (await login(token, 'That is not the token.')) {
    hold(token);
    open();
  }
});
by('logout').addEventListener('click', async () => {
  visit++;
  letGo();
  clearTimeout(timer);
  await fetch('/ui/logout', { method: 'POST' });
  by('view').replaceChildren();
  by('q').value = '';
  places.clear();
  open();
});
by('q').addEventListener('input', () => {
  clearTimeout(typing);
  typing = setTimeout(search, TYPING);
});
by('find').addEventListener('submit', (event) => {
  event.preventDefault();
  clearTimeout(typing);
  search();
});

function search() {
  const { kind, query } = route();
  const target = hash(kind || 'claims', { ...(query || {}), page: '', q: by('q').value.trim() });
  if (target === current) return;
  if (query && query.q) {
    // One step back leaves the search, not one letter of it.
    history.replaceState(null, '', target);
    open();
  } else {
    location.hash = target;
  }
}

document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape' && view instanceof ObjectView) location.hash = lastList;
  if (event.key === '/' && !/^(INPUT|TEXTAREA)$/.test(document.activeElement.tagName) && !by('world').hidden) {
    event.preventDefault();
    by('q').focus();
  }
});
document.addEventListener('visibilitychange', () => {
  if (!document.hidden && view) refresh();
});
window.addEventListener('scroll', () => {
  if (drawn) places.set(current, window.scrollY);
}, { passive: true });
window.addEventListener('resize', () => {
  if (drawn && view.resized) view.resized();
});
window.addEventListener('act', () => refresh());
window.addEventListener('hashchange', () => begin());
history.scrollRestoration = 'manual';

// https://…/ui/#token=…: the part behind # never leaves the browser, and goes from its history at once.
function begin() {
  const given = new URLSearchParams(location.hash.slice(1)).get('token');
  if (given) {
    history.replaceState(null, '', location.pathname);
    loginByLink(given);
  } else {
    open();
  }
}
begin();
