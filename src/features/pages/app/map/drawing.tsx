import { useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { About, FieldAbout, TypeAbout } from '../../about.js';
import { areasOf, areaTitle } from '../api/graphql.js';
import { Link } from '../ui/controls.js';
import { states } from '../ui/state-bar.js';

interface Props {
  about: About;
  search: string;
  selected: string | undefined;
}

/** The map itself, drawn from the models. */
export function Drawing({ about, search, selected }: Props) {
  const { element, width } = useWidth();
  const layout = useMemo(() => (width > 0 ? layoutOf(areasOf(about), width) : undefined), [about, width]);
  return (
    <div className="drawing" ref={element}>
      {layout && (
        <svg viewBox={`0 0 ${width} ${layout.height}`} height={layout.height} aria-label="Map of the record types">
          {layout.areas.map(({ name, boxes, links, ...area }) => (
            <g key={name}>
              <rect className="map-area" {...area} rx="12" />
              <text className="map-area-name" x={area.x + 14} y={area.y + 23}>
                {areaTitle(name)}
              </text>
              {links.map((path) => (
                <path key={path} className="map-link" d={path} />
              ))}
              {boxes.map((box) => (
                <TypeBox
                  key={box.type.model}
                  {...box}
                  isFaint={!matches(box.type, search)}
                  isSelected={box.type.model === selected}
                />
              ))}
            </g>
          ))}
        </svg>
      )}
    </div>
  );
}

/** The width of an element in whole pixels, 0 before it is known. */
function useWidth() {
  const element = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    if (!element.current) return;
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)));
    observer.observe(element.current);
    return () => observer.disconnect();
  }, []);
  return { element, width };
}

/** A record type on the map. */
interface Box {
  type: TypeAbout;
  /** What it is called in its place: a line without the name of its record. */
  name: string;
  isLine: boolean;
  x: number;
  y: number;
  width: number;
  height: number;
}

function TypeBox({ isFaint, isSelected, ...box }: Box & { isFaint: boolean; isSelected: boolean }) {
  const { type, name, isLine, x, y, width, height } = box;
  const classes = ['map-type', isLine && 'is-line', isFaint && 'is-faint', isSelected && 'is-selected'];
  const fields = type.fields.length === 1 ? '1 field' : `${type.fields.length} fields`;
  const more = type.kind === 'singleton' ? ' · there is one' : type.ofAnyRecord ? ' · line of any record' : '';
  return (
    <Link
      to={`schema/${type.model}`}
      className={classes.filter(Boolean).join(' ')}
      aria-current={isSelected || undefined}
    >
      <rect {...{ x, y, width, height }} rx="8" />
      <text className="map-name" x={x + 12} y={y + (isLine ? 22 : 20)}>
        {shortened(name, width - (isLine ? 84 : 24))}
      </text>
      {isLine ? (
        <text className="map-note" x={x + width - 12} y={y + 22} textAnchor="end">
          {fields}
        </text>
      ) : (
        <text className="map-note" x={x + 12} y={y + 37}>
          {fields + more}
        </text>
      )}
      {type.hasStates &&
        states.map((state, index) => (
          <circle key={state} className={state} cx={x + width - 40 + index * 13} cy={y + 33} r="4.5">
            <title>{state}</title>
          </circle>
        ))}
    </Link>
  );
}

/** SVG does not break or cut text; a letter is at most about 8 pixels wide. */
function shortened(text: string, width: number): string {
  const most = Math.floor(width / 7.4);
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
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

/** Where everything stands, in pixels: areas in columns, records in their area, lines below their record. */
function layoutOf(areas: ReturnType<typeof areasOf>, width: number) {
  const count = Math.max(1, Math.min(4, Math.floor((width + gap) / (column + gap))));
  const each = (width - gap * (count - 1)) / count;
  const heights = Array.from({ length: count }, () => 0);
  const placed = areas.map(({ name, types }) => {
    const shortest = heights.indexOf(Math.min(...heights));
    const area = { name, ...layoutArea(types, shortest * (each + gap), heights[shortest] ?? 0, each) };
    heights[shortest] = area.y + area.height + gap;
    return area;
  });
  return { height: Math.max(...heights) - gap, areas: placed };
}

function layoutArea(types: TypeAbout[], x: number, top: number, width: number) {
  const boxes: Box[] = [];
  /** From records to their lines, as SVG paths. */
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
  return { x, y: top, width, height: y - top - between + padding, boxes, links };
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

/** Whether the words of a search are in the names of a type, or of one of its fields. */
export function matches(type: TypeAbout, search: string): boolean {
  const { title, model, slug, one, many, area } = type;
  return contains([title, model, slug, one, many, area], search) || type.fields.some((field) => isField(field, search));
}

/** The fields that a search is about; none where it is about the type as a whole. */
export const matchingFields = (type: TypeAbout, search: string): FieldAbout[] =>
  search.trim() ? type.fields.filter((field) => isField(field, search)) : [];

const isField = ({ name, restName }: FieldAbout, search: string): boolean => contains([name, restName], search);

function contains(texts: string[], search: string): boolean {
  const words = search.trim().toLowerCase();
  return texts.some((text) => text.toLowerCase().includes(words));
}
