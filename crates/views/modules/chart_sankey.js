/** Flows of amounts between columns, from left to right.
 * @import { Card, Drawing, FlowLink, FlowNode } from './types.d.ts' */

import { sankey } from '../vendor/d3.js';
import { svgElement } from './dom.js';
import { chart } from './inspector.js';
import { formatCents } from './money.js';
import { root } from './plot.js';

/** @typedef {{ x0: number, x1: number, y0: number, y1: number, node: FlowNode }} Placed */
/** @typedef {{ source: Placed, target: Placed, width: number, y0: number, y1: number }} PlacedLink */

/** Width of a node in pixels. */
const NODE = 12;
/** The distance of two nodes in pixels. Labels of neighbours do not touch even if the nodes are thin. */
const PADDING = 14;
/** The number of characters of a name that has room beside its amount. */
const NAME = 24;
/** The smallest height of a part of a node with a label. */
const LABELLED = 9;

/** Returns a chart of flows.
 * @param {object} options @param {string} options.title @param {string} options.summary the text alternative
 * @param {string} options.currency @param {FlowNode[]} options.nodes @param {FlowLink[]} options.links
 * @param {(node: FlowNode) => Card} options.card
 * @param {((index: number) => void) | undefined} options.select follows a node by its position in `nodes` */
export function flowChart(options) {
  return chart(options.title, (width) => drawFlow(options, width), options.select);
}

/** Draws a chart of flows. @param {Parameters<typeof flowChart>[0]} options @param {number} width @returns {Drawing} */
export function drawFlow({ summary, currency, nodes, links, card }, width) {
  const last = nodes.filter((node) => node.column === 2).length;
  const height = Math.max(340, last * PADDING + 300);
  const layout = sankey()
    .nodeId((/** @type {{ node: FlowNode }} */ placed) => placed.node.id)
    .nodeAlign((/** @type {{ node: FlowNode }} */ placed) => placed.node.column)
    .nodeSort(null)
    .linkSort(null)
    .nodeWidth(NODE)
    .nodePadding(PADDING)
    .extent([
      [1, 12],
      [width - 200, height - 12],
    ]);
  const graph = layout({
    nodes: nodes.map((node) => ({ node })),
    links: links.map(({ source, target, cents }) => ({ source, target, value: cents })),
  });
  const placed = /** @type {Placed[]} */ (graph.nodes);
  const svg = root(width, height, summary);
  const ribbons = /** @type {PlacedLink[]} */ (graph.links).map((link) => ({
    link,
    path: svgElement('path', {
      d: ribbonPath(link),
      class: 'ribbon',
      series: link.target.node.series,
    }),
  }));
  svg.append(...ribbons.map(({ path }) => path));
  const shapes = placed.map((place) => nodeShape(place));
  svg.append(...shapes, ...placed.flatMap((place) => nodeLabels(place, currency)));
  return {
    svg,
    count: placed.length,
    card: (index) => card(placed[index]?.node ?? { id: '', name: '', column: 0, cents: 0, series: '' }),
    nearest: (x, y) => nearestNode(placed, x, y),
    anchor: (index) => {
      const place = placed[index] ?? { x1: 0, y0: 0, y1: 0 };
      return { x: place.x1, y: (place.y0 + place.y1) / 2 };
    },
    mark: (index) => {
      const marked = index === undefined ? undefined : placed[index];
      svg.classList.toggle('inspected', marked !== undefined);
      for (const { link, path } of ribbons) {
        path.classList.toggle('marked', link.source === marked || link.target === marked);
      }
      shapes.forEach((shape, at) => {
        shape.classList.toggle('marked', at === index);
      });
    },
  };
}

/** Returns the outline of a ribbon, at least a pixel high. A thick line instead would have horns where it bends sharply.
 * @param {PlacedLink} link */
function ribbonPath({ source, target, width, y0, y1 }) {
  const half = Math.max(1, width) / 2;
  const [from, to] = [source.x1, target.x0];
  const middle = (from + to) / 2;
  const edge = (/** @type {number} */ start, /** @type {number} */ end) => `${middle},${start} ${middle},${end}`;
  const upper = `M${from},${y0 - half}C${edge(y0 - half, y1 - half)} ${to},${y1 - half}`;
  return `${upper}L${to},${y1 + half}C${edge(y1 + half, y0 + half)} ${from},${y0 + half}Z`;
}

/** @param {Placed} place */
function nodeShape({ x0, x1, y0, y1, node }) {
  const height = Math.max(1, y1 - y0);
  const group = svgElement('g', { class: 'node' });
  group.append(svgElement('rect', { x: x0, y: y0, width: x1 - x0, height, class: 'bar', series: node.series }));
  let top = y0;
  for (const part of (node.parts ?? []).slice(0, -1)) {
    top += (part.cents / node.cents) * height;
    group.append(svgElement('line', { x1: x0, x2: x1, y1: top, y2: top, class: 'divider' }));
  }
  return group;
}

/** Returns the label of a node, or of each of its parts that is high enough.
 * @param {Placed} place @param {string} currency */
function nodeLabels({ x1, y0, y1, node }, currency) {
  const parts = node.parts ?? [node];
  let top = y0;
  return parts.flatMap(({ name, cents }) => {
    const height = node.cents === 0 ? 0 : (cents / node.cents) * (y1 - y0);
    const middle = top + height / 2;
    top += height;
    if (node.parts && height < LABELLED) {
      return [];
    }
    const shown = name.length > NAME ? `${name.slice(0, NAME - 1)}…` : name;
    const amount = svgElement('tspan', { class: 'amount' }, ` ${formatCents(cents, currency)}`);
    return [svgElement('text', { x: x1 + 6, y: middle, dy: '0.32em', class: 'label name' }, shown, amount)];
  });
}

/** Returns the position of the node that is nearest to a point.
 * @param {Placed[]} placed @param {number} x @param {number} y */
function nearestNode(placed, x, y) {
  const distance = (/** @type {Placed} */ place) => {
    const beside = x < place.x0 ? place.x0 - x : Math.max(0, x - place.x1);
    const above = y < place.y0 ? place.y0 - y : Math.max(0, y - place.y1);
    return beside + above * 4;
  };
  const distances = placed.map(distance);
  return distances.indexOf(Math.min(...distances));
}
