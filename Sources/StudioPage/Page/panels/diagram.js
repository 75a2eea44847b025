// The diagram of the classes, drawn as SVG.
import {button, isCollection, make, makeSVG, several, showClass, typeText} from '../shared/elements.js';
import {headHeight, layout, rowHeight, width} from './diagram-layout.js';

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
