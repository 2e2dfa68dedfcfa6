// SPDX-License-Identifier: Apache-2.0
// The surroundings of an object as a picture: layers from pods to nodes, in each the boxes near to those that they belong to.
import { SINGLE, TITLES, address, by, el, look } from '/ui/dom.js';

const NS = 'http://www.w3.org/2000/svg';
const BOX = { width: 150, height: 62 };
const GAP = { across: 46, along: 12, down: 28 };
const LANE = 14;
const LONGEST = 16;
const SWEEPS = 3;
const NAMES = { ...SINGLE, backend: 'Storage' };

function svg(tag, attributes, ...children) {
  const made = document.createElementNS(NS, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

// The ends of a name tell it from others; the middle seldom does.
function brief(text) {
  if (text.length <= LONGEST) return text;
  return `${text.slice(0, LONGEST / 2 - 1)}…${text.slice(-LONGEST / 2)}`;
}

// Of storage: what it is, and where.
function split(source) {
  const end = source.indexOf(' ');
  return end < 0 ? [source, ''] : [source.slice(0, end), source.slice(end + 1)];
}

function spoken(box) {
  const name = box.namespace ? `${box.namespace}/${box.name}` : box.name;
  return `${NAMES[box.kind]} ${name}${box.state ? `, ${box.state}` : ''}`;
}

// ---- where everything is ----

function layered({ boxes, ties }) {
  const layers = [...new Set(boxes.map((box) => box.layer))].sort().map((place) => boxes.filter((box) => box.layer === place));
  const near = new Map(boxes.map((box) => [box.id, []]));
  for (const tie of ties) {
    near.get(tie.from).push(tie.to);
    near.get(tie.to).push(tie.from);
  }
  // Each layer is put in the order of what its boxes belong to, forth and back, until there is little to gain.
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    const order = sweep % 2 ? [...layers].reverse() : layers;
    const place = new Map();
    for (const layer of order) {
      const wanted = new Map(layer.map((box, index) => {
        const known = near.get(box.id).map((id) => place.get(id)).filter((each) => each !== undefined);
        return [box.id, known.length ? known.reduce((sum, each) => sum + each, 0) / known.length : index / layer.length];
      }));
      layer.sort((one, other) => wanted.get(one.id) - wanted.get(other.id));
      layer.forEach((box, index) => place.set(box.id, (index + 0.5) / layer.length));
    }
  }
  return layers;
}

// Layers side by side where there is room, else one below the other.
function placed(layers, room) {
  const width = layers.length * BOX.width + (layers.length - 1) * GAP.across;
  const places = new Map();
  if (width <= room) {
    const longest = Math.max(...layers.map((layer) => layer.length));
    const height = longest * BOX.height + (longest - 1) * GAP.along;
    layers.forEach((layer, index) => {
      const top = (height - layer.length * BOX.height - (layer.length - 1) * GAP.along) / 2;
      layer.forEach((box, row) => places.set(box.id, { x: index * (BOX.width + GAP.across), y: top + row * (BOX.height + GAP.along), layer: index }));
    });
    return { places, width, height: height + LANE, sideways: true };
  }
  const perRow = Math.max(1, Math.floor((room - LANE + GAP.along) / (BOX.width + GAP.along)));
  let y = 0;
  layers.forEach((layer, index) => {
    layer.forEach((box, number) => {
      places.set(box.id, { x: (number % perRow) * (BOX.width + GAP.along), y: y + Math.floor(number / perRow) * (BOX.height + GAP.along), layer: index });
    });
    y += Math.ceil(layer.length / perRow) * (BOX.height + GAP.along) - GAP.along + GAP.down;
  });
  const columns = Math.min(perRow, Math.max(...layers.map((layer) => layer.length)));
  return { places, width: columns * (BOX.width + GAP.along) - GAP.along + LANE, height: y - GAP.down, sideways: false };
}

// A tie over several layers goes around them.
function path(from, to, { width, height, sideways }) {
  const middle = { x: BOX.width / 2, y: BOX.height / 2 };
  if (sideways) {
    if (to.layer - from.layer > 1) {
      return `M${from.x + middle.x},${from.y + BOX.height}V${height - 1}H${to.x + middle.x}V${to.y + BOX.height}`;
    }
    const [x1, y1, x2, y2] = [from.x + BOX.width, from.y + middle.y, to.x, to.y + middle.y];
    const half = (x1 + x2) / 2;
    return `M${x1},${y1}C${half},${y1} ${half},${y2} ${x2},${y2}`;
  }
  if (to.layer - from.layer > 1) {
    return `M${from.x + BOX.width},${from.y + middle.y}H${width - 1}V${to.y + middle.y}H${to.x + BOX.width}`;
  }
  const [x1, y1, x2, y2] = [from.x + middle.x, from.y + BOX.height, to.x + middle.x, to.y];
  const half = (y1 + y2) / 2;
  return `M${x1},${y1}C${x1},${half} ${x2},${half} ${x2},${y2}`;
}

function drawBox(box, { x, y }) {
  const group = svg('g', { transform: `translate(${x},${y})`, class: `box ${look(box.state)}${box.self ? ' self' : ''}` });
  group.append(svg('rect', { width: BOX.width, height: BOX.height, rx: 6 }));
  group.append(svg('text', { x: 10, y: 18, class: 'kind' }, NAMES[box.kind]));
  const [type, place] = box.kind === 'backend' ? split(box.name) : [box.name, box.state];
  group.append(svg('text', { x: 10, y: 35 }, brief(type)));
  group.append(svg('text', { x: 10, y: 53, class: 'state' }, brief(place)));
  if (!box.there || box.self) {
    group.append(svg('title', {}, spoken(box)));
    return group;
  }
  const link = svg('a', { href: address(box), 'aria-label': spoken(box) }, svg('title', {}, spoken(box)), group);
  return link;
}

export function picture(graph) {
  const room = (by('view').clientWidth || window.innerWidth) - 8;
  const layers = layered(graph);
  const plan = placed(layers, room);
  const drawn = svg('svg', {
    class: 'graph', role: 'group', 'aria-label': 'What belongs to it', width: plan.width + 4, height: plan.height + 4,
    viewBox: `-2 -2 ${plan.width + 4} ${plan.height + 4}`,
  });
  for (const tie of graph.ties) drawn.append(svg('path', { class: 'tie', d: path(plan.places.get(tie.from), plan.places.get(tie.to), plan) }));
  for (const layer of layers) for (const box of layer) drawn.append(drawBox(box, plan.places.get(box.id)));
  return drawn;
}

// The same for those who do not see it.
export function inWords(graph) {
  const parts = document.createDocumentFragment();
  const known = new Map(graph.boxes.map((box) => [box.id, box]));
  const list = el('ul');
  for (const tie of graph.ties) {
    list.append(el('li', {}, `${spoken(known.get(tie.from))} ${tie.words} ${spoken(known.get(tie.to))}`));
  }
  if (!graph.ties.length) list.append(el('li', {}, 'Nothing belongs to it.'));
  parts.append(el('details', { id: 'in-words' }, el('summary', {}, 'The same in words'), list));
  const left = Object.entries(graph.left).map(([kind, count]) => `${count} more ${TITLES[kind].toLowerCase()}`);
  if (left.length) parts.append(el('p', { class: 'note' }, `Not in the picture: ${left.join(', ')}. Objects to look at come before others.`));
  return parts;
}
