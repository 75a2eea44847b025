// Charts in SVG: a line over time, and points with two axes.
import {make, makeSVG, number} from '../shared/elements.js';

const width = 860, height = 400, left = 64, right = 16, top = 14, bottom = 30;
const compact = new Intl.NumberFormat('en', {notation: 'compact', maximumFractionDigits: 2});

/** About `count` round numbers from `least` to `most`. */
function ticks(least, most, count) {
  const rough = (most - least) / count || 1;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map(each => each * power).find(each => each >= rough) ?? rough;
  const result = [];
  const end = most + step * 1e-9;
  for (let place = Math.ceil(least / step - 1e-9); place * step <= end; place += 1) result.push(place * step);
  return result;
}

function frame(label) {
  return makeSVG('svg', {class: 'chart', viewBox: `0 0 ${width} ${height}`, role: 'img',
    'aria-label': label});
}

const plain = value => Math.abs(value) >= 10_000 ? compact.format(value)
  : number(Number(value.toPrecision(6)));

function upTicks(svg, values, place, unit = '') {
  for (const value of values) {
    svg.append(makeSVG('path', {class: 'grid-line', d: `M${left} ${place(value)}H${width - right}`}),
      makeSVG('text', {x: left - 8, y: place(value) + 4, 'text-anchor': 'end'}, plain(value) + unit));
  }
}

/**
 * A line over time. The pointer shows the nearest value, a click picks it; arrows move to the next one.
 * @param {{time: number, value: any}[]} points
 * @param {{part: string, title: string, pick: (point: any) => void}} options
 */
export function lineChart(points, {part, title, pick}) {
  const values = points.map(point => Number(point.value)).map(value => Number.isFinite(value) ? value : 0);
  const least = Math.min(0, ...values), most = Math.max(...values, least + 1e-9);
  const from = points[0].time, to = points.at(-1).time;
  const across = time => left + 4 + (time - from) / (to - from || 1) * (width - left - right - 8);
  const up = value => height - bottom - (value - least) / (most - least) * (height - top - bottom);
  const length = {year: 4, month: 7, day: 10, hour: 16}[part];
  const text = time => new Date(time).toISOString().replace('T', ' ').slice(0, length);
  const svg = frame(title);
  upTicks(svg, ticks(least, most, 5), up);
  const every = Math.max(1, Math.ceil(points.length / 8));
  let last = -Infinity;
  points.forEach((point, place) => {
    const x = across(point.time);
    if (place % every || x - last < 80) return;
    last = x;
    svg.append(makeSVG('text', {x, y: height - 10, 'text-anchor': x > width - 50 ? 'end' : place ? 'middle'
      : 'start'},
      text(point.time)));
  });
  const line = points.map((point, place) =>
    `${place ? 'L' : 'M'}${across(point.time).toFixed(1)} ${up(values[place]).toFixed(1)}`).join('');
  svg.append(makeSVG('path', {class: 'area',
    d: `${line}L${across(to)} ${up(Math.max(0, least))}L${across(from)} ${up(Math.max(0, least))}Z`}),
    makeSVG('path', {class: 'curve', d: line}));
  if (points.length <= 80) {
    points.forEach((point, place) =>
      svg.append(makeSVG('circle', {class: 'dot', cx: across(point.time), cy: up(values[place]), r: 2.5})));
  }
  return withMark(svg, points.map((point, place) => [across(point.time), up(values[place])]), {
    text: place => {
      const {time, value} = points[place];
      return `${text(time)}: ${value == null ? '–' : number(value)}`;
    },
    pick: place => pick(points[place]), byX: true,
  });
}

/**
 * Points with two axes; as a map, degrees are as wide as they are in the middle of the shown latitudes.
 * @param {[number, number, number][]} points x, y and row
 * @param {{isMap: boolean, x: string, y: string, pick: (row: number) => void}} options
 */
export function pointChart(points, {isMap, x, y, pick}) {
  const range = place => {
    let least = Infinity, most = -Infinity;
    for (const point of points) {
      least = Math.min(least, point[place]);
      most = Math.max(most, point[place]);
    }
    const edge = (most - least) * 0.04 || Math.abs(most) * 0.04 || 1;
    return [least - edge, most + edge];
  };
  let [[fromX, toX], [fromY, toY]] = [range(0), range(1)];
  const wide = width - left - right, tall = height - top - bottom;
  if (isMap) {
    const narrow = Math.max(0.2, Math.cos((fromY + toY) / 2 * Math.PI / 180));
    const scale = Math.max((toX - fromX) * narrow / wide, (toY - fromY) / tall);
    const [middleX, middleY] = [(fromX + toX) / 2, (fromY + toY) / 2];
    [fromX, toX] = [middleX - scale * wide / narrow / 2, middleX + scale * wide / narrow / 2];
    [fromY, toY] = [middleY - scale * tall / 2, middleY + scale * tall / 2];
  }
  const across = value => left + (value - fromX) / (toX - fromX) * wide;
  const up = value => height - bottom - (value - fromY) / (toY - fromY) * tall;
  const unit = isMap ? '°' : '';
  const svg = frame(`${number(points.length)} points: ${y} over ${x}`);
  upTicks(svg, ticks(fromY, toY, 6), up, unit);
  for (const value of ticks(fromX, toX, 8)) {
    svg.append(makeSVG('path', {class: 'grid-line', d: `M${across(value)} ${top}V${height - bottom}`}),
      makeSVG('text', {x: across(value), y: height - 10, 'text-anchor': 'middle'}, plain(value) + unit));
  }
  const places = points.map(point => [across(point[0]), up(point[1])]);
  svg.append(makeSVG('path', {class: points.length > 800 ? 'points many' : 'points',
    d: places.map(([x, y]) => `M${x.toFixed(1)} ${y.toFixed(1)}h0`).join('')}));
  return withMark(svg, places, {
    text: place => `${x} ${number(points[place][0])}${unit}, ${y} ${number(points[place][1])}${unit}`,
    pick: place => pick(points[place][2]), byX: false,
  });
}

/** Adds the mark of the nearest point, its text below, and picking by click, arrows and Enter. */
function withMark(svg, places, {text, pick, byX}) {
  const mark = makeSVG('circle', {class: 'mark', r: 5, cx: -20, cy: -20});
  const line = make('div', {class: 'chart-text tabular', role: 'status'}, ' ');
  const order = byX ? places.map((_, place) => place)
    : places.map((_, place) => place).sort((a, b) => places[a][0] - places[b][0]);
  let chosen = -1;
  svg.append(mark);
  svg.setAttribute('tabindex', '0');
  function choose(place) {
    chosen = place;
    mark.setAttribute('cx', places[place][0]);
    mark.setAttribute('cy', places[place][1]);
    line.textContent = text(place);
  }
  svg.addEventListener('pointermove', event => {
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
    let nearest = -1, least = byX ? Infinity : 900;
    places.forEach(([x, y], place) => {
      const distance = byX ? Math.abs(x - point.x) : (x - point.x) ** 2 + (y - point.y) ** 2;
      if (distance < least) [nearest, least] = [place, distance];
    });
    if (nearest >= 0 && nearest !== chosen) choose(nearest);
  });
  svg.addEventListener('click', () => chosen >= 0 && pick(chosen));
  svg.addEventListener('keydown', event => {
    const step = {ArrowRight: 1, ArrowLeft: -1, Home: -Infinity, End: Infinity}[event.key];
    if (step) choose(order[Math.max(0, Math.min(order.length - 1, order.indexOf(chosen) + step))]);
    else if (event.key === 'Enter' && chosen >= 0) pick(chosen);
    else return;
    event.preventDefault();
  });
  return make('figure', {class: 'chart-frame'}, svg, line);
}
