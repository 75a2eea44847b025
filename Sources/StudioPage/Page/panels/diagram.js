// The diagram of the classes: layers in the direction of the links, drawn as SVG.
import {button, isCollection, make, makeSVG, several, showClass, typeText} from '../shared/elements.js';

const rowHeight = 18, headHeight = 26, gapAcross = 90, gapDown = 22, width = 210, mostRows = 9, deepest = 8;

/**
 * @param {import('../shared/elements.js').Context} context @param {import('../shared/elements.js').Class[]}
 * classes
 * @returns {{element: HTMLElement, close: () => void}}
 */
export function diagram(context, classes) {
  const {boxes, lines} = layout(classes);
  const size = {width: Math.max(1, ...boxes.map(box => box.x + width)),
    height: Math.max(1, ...boxes.map(box => box.y + box.height))};
  const svg = makeSVG('svg', {class: lines.length > 150 ? 'diagram dense' : 'diagram', role: 'group',
    tabindex: '0',
    'aria-label': `Diagram of ${several(classes.length, 'class', 'classes')}. `
      + 'Arrows move it, plus and minus zoom, 0 shows all.'});
  const drawn = lines.map(line => makeSVG('path',
    {class: line.property.target && isCollection(line.property) ? 'line many' : 'line', d: curve(line)},
    makeSVG('title', null, `${line.from.each.name}.${line.property.name}: ${typeText(line.property)}`)));
  const groups = boxes.map(box => draw(box, context, highlight));
  svg.append(makeSVG('defs', null, makeSVG('marker', {id: 'arrow', viewBox: '0 0 8 8', refX: 8, refY: 4,
    markerWidth: 8,
    markerHeight: 8, markerUnits: 'userSpaceOnUse', orient: 'auto'},
      makeSVG('path', {d: 'M0 0 8 4 0 8z', class: 'head'}))), ...drawn, ...groups);

  /** Shows a class and its neighbours; the others become faint. */
  function highlight(chosen) {
    svg.classList.toggle('chosen', chosen != null);
    const near = new Set([chosen]);
    lines.forEach((line, place) => {
      const isNear = line.from === chosen || line.to === chosen;
      drawn[place].classList.toggle('near', isNear);
      if (isNear) near.add(line.from).add(line.to);
    });
    boxes.forEach((box, place) => groups[place].classList.toggle('near', near.has(box)));
  }

  const zoom = movable(svg, size, classes.length > 60 ? 0 : 0.55);
  const element = make('div', {class: 'diagram-frame'}, svg,
    make('div', {class: 'diagram-tools'},
      button('−', () => zoom.by(1 / 1.25), {'aria-label': 'Zoom out', title: 'Zoom out (−)'}),
      button('+', () => zoom.by(1.25), {'aria-label': 'Zoom in', title: 'Zoom in (+)'}),
      button('All', () => zoom.all(), {title: 'Show all (0)'})));
  return {element, close: zoom.close};
}

/** Places the classes: a layer for each step along the links, in each layer near what is linked. */
function layout(classes) {
  const isDense = classes.length > 60;
  const boxes = classes.map(each => {
    const links = each.properties.filter(property => property.target);
    const others = each.properties.filter(property => !property.target);
    const rows = isDense ? [] : [...links, ...others].slice(0, Math.max(mostRows, links.length));
    const hidden = each.properties.length - rows.length;
    const height = isDense ? headHeight : headHeight + (rows.length + (hidden ? 1 : 0)) * rowHeight + 6;
    return {each, rows, hidden: isDense ? 0 : hidden, height, x: 0, y: 0, layer: -1, place: 0, next: [],
      previous: []};
  });
  const byName = new Map(boxes.map(box => [box.each.name, box]));
  const lines = boxes.flatMap(from => from.each.properties.filter(property => byName.has(property.target))
    .map(property => ({from, to: byName.get(property.target), property, row: from.rows.indexOf(property)})));
  assignLayers(boxes, lines);
  const layers = order(boxes);
  place(layers);
  return {boxes, lines};
}

/**
 * The layer of a class is one more than that of the classes that link to it. Links that close a circle do not
 *   count.
 */
function assignLayers(boxes, lines) {
  for (const {from, to} of lines) if (from !== to) from.next.push(to);
  const isOpen = new Set(), done = [];
  const visit = start => {
    const stack = [[start, 0]];
    isOpen.add(start);
    while (stack.length) {
      const top = stack.at(-1), [box, position] = top;
      const to = box.next[position];
      top[1] += 1;
      if (!to) {
        isOpen.delete(box);
        done.push(box);
        stack.pop();
      } else if (!isOpen.has(to)) {
        to.previous.push(box);
        if (to.layer < 0) {
          to.layer = 0;
          isOpen.add(to);
          stack.push([to, 0]);
        }
      }
    }
  };
  const targets = new Set(lines.filter(line => line.from !== line.to).map(line => line.to));
  for (const box of [...boxes].sort((a, b) => Number(targets.has(a)) - Number(targets.has(b)))) {
    if (box.layer < 0) {
      box.layer = 0;
      visit(box);
    }
  }
  for (const box of done.reverse()) box.layer = Math.max(0, ...box.previous.map(each => each.layer + 1));
  if (boxes.some(box => box.layer > deepest)) assignShortest(boxes);
}

/** Layers by the shortest way instead of the longest: less clear, but not so wide. */
function assignShortest(boxes) {
  let layer = boxes.filter(box => !box.previous.length);
  for (const box of boxes) box.layer = -1;
  for (let depth = 0; layer.length; depth += 1) {
    for (const box of layer) box.layer = depth;
    layer = [...new Set(layer.flatMap(box => box.next).filter(box => box.layer < 0))];
  }
  for (const box of boxes) box.layer = Math.max(0, box.layer);
}

/** Orders each layer by the mean place of its neighbours, a few times to and from. */
function order(boxes) {
  const linked = boxes.filter(box => box.next.length || box.previous.length);
  const layers = [];
  for (const box of linked) (layers[box.layer] ??= []).push(box);
  const number = layer => layer.forEach((box, place) => { box.place = place / layer.length; });
  layers.forEach(number);
  for (let round = 0; round < 8; round += 1) {
    for (const layer of round % 2 ? [...layers].reverse() : layers) {
      const mean = box => {
        const near = round % 2 ? box.next : box.previous;
        return near.length ? near.reduce((sum, each) => sum + each.place, 0) / near.length : box.place;
      };
      const means = new Map(layer.map(box => [box, mean(box)]));
      layer.sort((a, b) => means.get(a) - means.get(b));
      number(layer);
    }
  }
  const alone = boxes.filter(box => !linked.includes(box));
  return {layers: layers.filter(Boolean), alone};
}

/**
 * Gives the boxes their places: layers beside each other, long ones in several columns, unlinked classes
 *   below.
 */
function place({layers, alone}) {
  const heights = layers.flat().reduce((sum, box) => sum + box.height + gapDown, 0);
  const tallest = Math.max(700, Math.sqrt(heights * (width + gapAcross) * 0.7));
  let x = 0, bottom = 0;
  const columns = layers.map(layer => columnsOf(layer, tallest));
  const full = Math.max(0, ...columns.flat().map(column => column.height));
  for (const parts of columns) {
    for (const part of parts) {
      let y = (full - part.height) / 2;
      for (const box of part.boxes) {
        box.x = x;
        box.y = y;
        y += box.height + gapDown;
      }
      x += width + (part === parts.at(-1) ? gapAcross : 30);
    }
  }
  bottom = full ? full + 30 : 0;
  const across = Math.max(4, Math.floor((x || Math.sqrt(alone.length) * 300) / (width + 30)));
  const heightsBelow = Array(across).fill(bottom);
  for (const box of alone) {
    const column = heightsBelow.indexOf(Math.min(...heightsBelow));
    box.x = column * (width + 30);
    box.y = heightsBelow[column];
    heightsBelow[column] += box.height + gapDown;
  }
}

function columnsOf(layer, tallest) {
  const columns = [];
  for (const box of layer) {
    const last = columns.at(-1);
    if (last && last.height + box.height <= tallest) {
      last.boxes.push(box);
      last.height += box.height + gapDown;
    } else columns.push({boxes: [box], height: box.height + gapDown});
  }
  return columns;
}

function curve({from, to, row}) {
  const y = from.y + (row < 0 ? headHeight / 2 : headHeight + row * rowHeight + rowHeight / 2);
  const end = to.y + headHeight / 2;
  if (from === to) return `M${from.x + width} ${y}h14V${end}h-12`;
  const isForward = to.x > from.x;
  const start = isForward ? from.x + width : from.x, stop = isForward ? to.x - 1 : to.x + width + 1;
  const bend = Math.max(30, Math.abs(stop - start) / 2) * (isForward ? 1 : -1);
  return to.x === from.x
    ? `M${from.x + width} ${y}C${from.x + width + 50} ${y}`
      + ` ${to.x + width + 50} ${end} ${to.x + width + 1} ${end}`
    : `M${start} ${y}C${start + bend} ${y} ${stop - bend} ${end} ${stop} ${end}`;
}

const cut = (text, most) => text.length > most ? `${text.slice(0, most - 1)}…` : text;

function draw(box, context, highlight) {
  const {each, rows, hidden} = box;
  const open = () => showClass(context, each.name);
  const line = (place, name, type, kind) => [
    makeSVG('text', {x: 10, y: headHeight + place * rowHeight + 14, class: kind}, name),
    makeSVG('text', {x: width - 10, y: headHeight + place * rowHeight + 14, class: 'type',
      'text-anchor': 'end'},
      type)];
  const name = makeSVG('text', {x: 10, y: 17, class: 'name'}, cut(each.name, 24));
  return makeSVG('g', {class: each.embedded ? 'class embedded' : 'class',
    transform: `translate(${box.x} ${box.y})`,
    tabindex: '0',
    role: 'button',
    'aria-label': `${each.name}, ${each.embedded ? 'embedded' : several(each.count, 'object')}`,
    onpointerenter: () => highlight(box), onpointerleave: () => highlight(null),
      onfocus: () => highlight(box),
      onblur: () => highlight(null),
    ondblclick: open, onkeydown: event => { if (event.key === 'Enter') open(); }},
  makeSVG('title', null, each.embedded
    ? `${each.name}, embedded` : `${each.name}: ${several(each.count, 'object')}. Double click shows them.`),
  makeSVG('rect', {width, height: box.height, rx: 3}), name,
  makeSVG('text', {x: width - 10, y: 17, class: 'type', 'text-anchor': 'end'}, each.embedded
    ? 'embedded' : compact.format(each.count)),
  rows.length || hidden ? makeSVG('path', {class: 'rule', d: `M0 ${headHeight - 0.5}h${width}`}) : null,
  rows.map((property, place) => line(place, cut(property.name, 15), cut(typeText(property), 16),
    property.target
    ? 'link' : 'plain')),
  hidden ? line(rows.length, `${hidden} more`, '', 'type') : null);
}

const compact = new Intl.NumberFormat('en', {notation: 'compact', maximumFractionDigits: 1});

/** Moving by drag, arrows and wheel; zoom by control and wheel, plus and minus. */
function movable(svg, size, readable) {
  let box = {x: 0, y: 0, scale: 1}, drag = null;
  const apply = () => svg.setAttribute('viewBox',
    `${box.x} ${box.y} ${svg.clientWidth / box.scale || 1} ${svg.clientHeight / box.scale || 1}`);
  const by = (factor, x = svg.clientWidth / 2, y = svg.clientHeight / 2) => {
    const scale = Math.min(3, Math.max(0.05, box.scale * factor));
    box = {x: box.x + x / box.scale - x / scale, y: box.y + y / box.scale - y / scale, scale};
    apply();
  };
  const all = (least = 0) => {
    const scale = Math.max(least, Math.min(1, (svg.clientWidth - 48) / size.width,
      (svg.clientHeight - 48) / size.height));
    if (!(scale > 0)) return;
    box = {x: (size.width - svg.clientWidth / scale) / 2, y: (size.height - svg.clientHeight / scale) / 2,
      scale};
    if (size.width * scale > svg.clientWidth) box.x = -24;
    if (size.height * scale > svg.clientHeight) box.y = -24;
    apply();
  };
  const move = (x, y) => { box = {...box, x: box.x + x / box.scale, y: box.y + y / box.scale}; apply(); };
  const keys = {ArrowLeft: [-60, 0], ArrowRight: [60, 0], ArrowUp: [0, -60], ArrowDown: [0, 60]};
  svg.addEventListener('wheel', event => {
    event.preventDefault();
    if (event.ctrlKey || event.metaKey) by(Math.exp(-event.deltaY / 300), event.offsetX, event.offsetY);
    else if (event.shiftKey) move(event.deltaY, 0);
    else move(event.deltaX, event.deltaY);
  }, {passive: false});
  svg.addEventListener('pointerdown', event => {
    drag = {x: event.clientX, y: event.clientY};
    svg.classList.add('moving');
  });
  const dragged = event => {
    if (!drag) return;
    move(drag.x - event.clientX, drag.y - event.clientY);
    drag = {x: event.clientX, y: event.clientY};
  };
  const dropped = () => { drag = null; svg.classList.remove('moving'); };
  addEventListener('pointermove', dragged);
  addEventListener('pointerup', dropped);
  svg.addEventListener('keydown', event => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (keys[event.key]) move(...keys[event.key]);
    else if (event.key === '+' || event.key === '=') by(1.25);
    else if (event.key === '-') by(1 / 1.25);
    else if (event.key === '0') all();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  svg.addEventListener('focusin', event => {
    if (event.target === svg || !event.target.matches(':focus-visible')) return;
    const frame = svg.getBoundingClientRect(), at = event.target.getBoundingClientRect();
    const x = at.left < frame.left ? at.left - frame.left - 24 : at.right > frame.right
      ? at.right - frame.right + 24
      : 0;
    const y = at.top < frame.top ? at.top - frame.top - 24 : at.bottom > frame.bottom
      ? at.bottom - frame.bottom + 24
      : 0;
    if (x || y) move(x, y);
  });
  let hasSize = false;
  const observer = new ResizeObserver(() =>
    { if (hasSize) apply(); else { hasSize = true; all(readable); } });
  observer.observe(svg);
  return {by, all, close() {
    observer.disconnect();
    removeEventListener('pointermove', dragged);
    removeEventListener('pointerup', dropped);
  }};
}
