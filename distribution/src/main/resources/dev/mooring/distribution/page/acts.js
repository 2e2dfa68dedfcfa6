// SPDX-License-Identifier: Apache-2.0
// What people do to an object: they are shown what an act does before it is done, and it is done to what they were shown, or not at all.
import { el, put } from '/ui/dom.js';

const WORDS = {
  rebind: ['Keep it for the same claim…', 'The volume waits, with its data, for a claim of the name that it had.'],
  adopt: ['Give it to a claim…', 'A claim that exists gets the volume, with its data.'],
  discard: ['Give it to any claim…', 'The volume, with its data, goes to any claim that fits. Nothing is erased.'],
  detach: ['Detach by force…', 'The volume is detached although its node does not let go of it. A process that still writes there damages the data.'],
};

// Kept while the page is open and nowhere else: the token that was typed at the login, and the one that was typed for an act.
const held = { page: '', cluster: '' };

export function hold(token) {
  held.page = token;
}

export function letGo() {
  held.page = '';
  held.cluster = '';
}

export class Acts {
  constructor(link, done) {
    this.link = link;
    this.done = done;
    this.buttons = el('div', { class: 'chips' });
    this.form = el('form', { id: 'act', hidden: '' });
    this.said = el('p', { id: 'act-said', role: 'status' });
    this.title = el('h3', {}, 'What you can do');
    this.root = el('section', { id: 'acts', hidden: '' }, this.title, this.buttons, this.form, this.said);
  }

  draw({ acts, token }, row) {
    this.token = token;
    this.row = row;
    this.root.hidden = !acts.length && !this.said.textContent;
    put(this.buttons, acts, () => {
      const parts = document.createDocumentFragment();
      for (const act of acts) {
        const button = el('button', { type: 'button', 'data-act': act }, WORDS[act][0]);
        button.addEventListener('click', () => this.open(act));
        parts.append(button);
      }
      return parts;
    });
    if (!acts.length) this.close();
  }

  close() {
    this.form.hidden = true;
    this.form.replaceChildren();
  }

  open(act) {
    this.act = act;
    this.shown = null;
    this.said.textContent = '';
    this.fields = {};
    const form = document.createDocumentFragment();
    form.append(el('p', {}, WORDS[act][1]));
    if (act === 'adopt') this.field(form, 'claim', 'Claim (NAMESPACE/NAME)', { value: this.claim() });
    if (act === 'detach') this.field(form, 'evidence', 'How you know that the node does not write any more', { maxlength: '400' });
    if (!held[this.token]) {
      this.field(form, 'token', this.token === 'page' ? 'Token of this page' : 'Token of the API server, of a user who may patch it', { type: 'password' });
    }
    this.ask = el('button', { type: 'submit' }, 'Show what it would do');
    const leave = el('button', { type: 'button' }, 'Leave it');
    leave.addEventListener('click', () => {
      this.close();
      this.buttons.querySelector(`[data-act=${act}]`)?.focus();
    });
    this.plan = el('div', { id: 'act-plan', tabindex: '-1' });
    form.append(el('div', { class: 'chips' }, this.ask, leave), this.plan);
    this.form.replaceChildren(form);
    this.form.hidden = false;
    this.form.onsubmit = (event) => {
      event.preventDefault();
      this.rehearse();
    };
    (Object.values(this.fields)[0] || this.ask).focus();
  }

  claim() {
    const named = (this.row.claim || [])[0];
    return named ? `${named.namespace}/${named.name}` : '';
  }

  field(form, name, label, more) {
    const input = el('input', { id: `act-${name}`, required: '', autocomplete: 'off', spellcheck: 'false', ...more });
    // What was shown was for other words.
    if (name !== 'token') input.addEventListener('input', () => this.plan.replaceChildren());
    this.fields[name] = input;
    form.append(el('label', { for: `act-${name}` }, label), input);
  }

  // What the form asks for now.
  told() {
    const { token, ...told } = Object.fromEntries(Object.entries(this.fields).map(([name, input]) => [name, input.value]));
    return { act: this.act, name: this.link.name, ...told };
  }

  async send(path, asked) {
    const used = held[this.token] || this.fields.token?.value;
    const answer = await fetch(path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${used}` },
      body: JSON.stringify(asked),
    });
    if (answer.ok) {
      held[this.token] = used;
      return { ok: true, body: await answer.json() };
    }
    const refused = answer.status === 401 || answer.status === 403;
    if (refused) held[this.token] = '';
    if (refused && !this.fields.token) this.open(this.act);
    return { ok: false, body: (await answer.text()).trim() };
  }

  async rehearse() {
    this.said.textContent = '';
    const asked = this.told();
    let answer;
    try {
      answer = await this.send('/ui/act/rehearsal', asked);
    } catch (failure) {
      answer = { ok: false, body: 'The server did not answer. Try again.' };
    }
    if (!answer.ok) {
      this.plan.replaceChildren(el('p', { class: 'bad', role: 'alert' }, answer.body));
      return;
    }
    // Another act, or other words, may stand in the form by now: this was not shown for them.
    if (JSON.stringify(asked) !== JSON.stringify(this.told())) return;
    this.shown = { asked, uid: answer.body.uid, version: answer.body.version };
    this.plan.replaceChildren(this.planned(answer.body));
    this.plan.focus({ preventScroll: false });
  }

  planned({ objections, consequences, changes, command }) {
    const parts = document.createDocumentFragment();
    const list = (title, lines, look) => {
      if (lines.length) parts.append(el('h4', {}, title), el('ul', { class: look }, ...lines.map((line) => el('li', {}, line))));
    };
    if (objections.length) {
      list('It must not be done, since', objections, 'bad');
      return parts;
    }
    list('What would follow', consequences, 'plan');
    list(`What would change in ${this.link.name}`, changes, 'plan');
    const line = el('pre', { tabindex: '0', 'aria-label': 'The same in a shell' }, command);
    const copy = el('button', { type: 'button' }, 'Copy');
    copy.addEventListener('click', async () => {
      try {
        await navigator.clipboard.writeText(command);
        copy.textContent = 'Copied';
      } catch (failure) {
        getSelection().selectAllChildren(line);
      }
    });
    const act = el('button', { type: 'button', id: 'act-do' }, 'Do it');
    act.addEventListener('click', () => this.carryOut(act));
    parts.append(el('h4', {}, 'The same in a shell'), line, el('div', { class: 'chips' }, copy, act));
    return parts;
  }

  async carryOut(button) {
    button.disabled = true;
    let answer;
    try {
      answer = await this.send('/ui/act', { ...this.shown.asked, uid: this.shown.uid, version: this.shown.version });
    } catch (failure) {
      answer = { ok: false, body: 'The server did not answer. Look whether it was done.' };
    }
    if (!answer.ok) {
      this.plan.replaceChildren(el('p', { class: 'bad', role: 'alert' }, answer.body));
      return;
    }
    this.close();
    this.said.textContent = `Done: ${answer.body.done.join('; ')}.`;
    this.title.tabIndex = -1;
    this.title.focus({ preventScroll: true });
    this.done();
  }
}
