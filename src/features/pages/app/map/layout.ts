/** Where everything stands on the map, in pixels: areas in columns, records in their area, lines below their record. */
import type { TypeAbout } from '../../about.js';

export interface Box {
  type: TypeAbout;
  /** What it is called in its place: a line without the name of its record. */
  name: string;
  isLine: boolean;
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface AreaBox {
  name: string;
  x: number;
  y: number;
  width: number;
  height: number;
  boxes: Box[];
  /** The links from records to their lines, as SVG paths. */
  links: string[];
}

export interface Layout {
  width: number;
  height: number;
  areas: AreaBox[];
}

const gap = 18;
const padding = 14;
const heading = 34;
const recordHeight = 46;
const lineHeight = 34;
const indent = 26;
const between = 8;
/** The least width of a column. */
const column = 300;

export function layoutOf(areas: { name: string; types: TypeAbout[] }[], width: number): Layout {
  const count = Math.max(1, Math.min(4, Math.floor((width + gap) / (column + gap))));
  const each = (width - gap * (count - 1)) / count;
  const heights = Array.from({ length: count }, () => 0);
  const placed = areas.map(({ name, types }) => {
    const shortest = heights.indexOf(Math.min(...heights));
    const area = layoutArea(name, types, shortest * (each + gap), heights[shortest] ?? 0, each);
    heights[shortest] = area.y + area.height + gap;
    return area;
  });
  return { width, height: Math.max(...heights) - gap, areas: placed };
}

function layoutArea(name: string, types: TypeAbout[], x: number, top: number, width: number): AreaBox {
  const boxes: Box[] = [];
  const links: string[] = [];
  const byModel = new Map(types.map((type) => [type.model, type]));
  let y = top + heading;
  const place = (type: TypeAbout, name: string, isLine: boolean): Box => {
    const left = x + padding + (isLine ? indent : 0);
    const height = isLine ? lineHeight : recordHeight;
    const box = { type, name, isLine, x: left, y, width: x + width - padding - left, height };
    boxes.push(box);
    y += height + between;
    return box;
  };
  for (const type of types.filter(({ parents }) => parents.length === 0)) {
    const parent = place(type, type.title, false);
    for (const line of type.lines) {
      const child = byModel.get(line.model);
      if (!child) continue;
      const box = place(child, shortName(child.title, type.title), true);
      links.push(linkOf(parent, box));
    }
  }
  return { name, x, y: top, width, height: y - top - between + padding, boxes, links };
}

/** From below a record, down and to the right, to its line. */
function linkOf(from: Box, to: Box): string {
  const x = from.x + indent / 2;
  const y = to.y + to.height / 2;
  return `M${x} ${from.y + from.height}V${y - 6}q0 6 6 6H${to.x}`;
}

/** `Asset Repair Consumed Item` below `Asset Repair` → `Consumed Item`. */
const shortName = (title: string, parent: string): string =>
  title.startsWith(`${parent} `) ? title.slice(parent.length + 1) : title;
