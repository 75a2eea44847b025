// The layout of the diagram: layers of classes in the direction of the links.

export const rowHeight = 18, headHeight = 26, width = 210;
const gapAcross = 90, gapDown = 22, mostRows = 9, deepest = 8;

/** Places the classes: a layer for each step along the links, in each layer near what is linked. */
export function layout(classes) {
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
