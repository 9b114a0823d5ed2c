import { useMemo } from 'react';
import type { About } from '../../about.js';
import { areasOf, areaTitle } from '../api/about.js';
import { Link } from '../ui/link.js';
import { useWidth } from '../ui/use-width.js';
import { type Box, layoutOf } from './layout.js';
import { matches } from './search.js';

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
        <svg
          viewBox={`0 0 ${layout.width} ${layout.height}`}
          height={layout.height}
          aria-label="Map of the record types"
        >
          {layout.areas.map((area) => (
            <g key={area.name}>
              <rect className="map-area" x={area.x} y={area.y} width={area.width} height={area.height} rx="12" />
              <text className="map-area-name" x={area.x + 14} y={area.y + 23}>
                {areaTitle(area.name)}
              </text>
              {area.links.map((path) => (
                <path key={path} className="map-link" d={path} />
              ))}
              {area.boxes.map((box) => (
                <TypeBox
                  key={box.type.model}
                  box={box}
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

const states = ['draft', 'submitted', 'cancelled'];

function TypeBox({ box, isFaint, isSelected }: { box: Box; isFaint: boolean; isSelected: boolean }) {
  const { type, name, isLine, x, y, width, height } = box;
  const classes = ['map-type', isLine && 'is-line', isFaint && 'is-faint', isSelected && 'is-selected'];
  return (
    <Link
      to={`schema/${type.model}`}
      className={classes.filter(Boolean).join(' ')}
      aria-current={isSelected || undefined}
    >
      <rect x={x} y={y} width={width} height={height} rx="8" />
      <text className="map-name" x={x + 12} y={y + (isLine ? 22 : 20)}>
        {shortened(name, width - (isLine ? 84 : 24))}
      </text>
      {!isLine && (
        <text className="map-note" x={x + 12} y={y + 37}>
          {noteOn(box)}
        </text>
      )}
      {isLine && (
        <text className="map-note" x={x + width - 12} y={y + 22} textAnchor="end">
          {fieldsOf(type.fields.length)}
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

function noteOn({ type }: Box): string {
  if (type.kind === 'singleton') return `${fieldsOf(type.fields.length)} · there is one`;
  if (type.ofAnyRecord) return `${fieldsOf(type.fields.length)} · line of any record`;
  return fieldsOf(type.fields.length);
}

const fieldsOf = (count: number): string => (count === 1 ? '1 field' : `${count} fields`);

/** SVG does not break or cut text; a letter is at most about 8 pixels wide. */
function shortened(text: string, width: number): string {
  const most = Math.floor(width / 7.4);
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}
