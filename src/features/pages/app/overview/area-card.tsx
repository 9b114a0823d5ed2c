import type { TypeAbout } from '../../about.js';
import { Link } from '../ui/link.js';
import { StateBar } from '../ui/state-bar.js';
import type { Count } from './counts.js';

interface Props {
  title: string;
  types: TypeAbout[];
  counts: ReadonlyMap<string, Count>;
  isLoading: boolean;
}

/** The record types of an area, with how many records there are in which states. */
export function AreaCard({ title, types, counts, isLoading }: Props) {
  return (
    <article className="card area">
      <h2>{title}</h2>
      <ul>
        {types.map((type) => {
          const count = counts.get(type.model);
          return (
            <li key={type.model} className={type.kind === 'child' ? 'line-type' : undefined}>
              <Link to={count && type.kind !== 'child' ? `records/${type.slug}` : `schema/${type.model}`}>
                {type.title}
              </Link>
              {type.hasStates && count && <StateBar count={count} />}
              <span className="count">{countText(type, count, isLoading)}</span>
            </li>
          );
        })}
      </ul>
    </article>
  );
}

function countText(type: TypeAbout, count: Count | undefined, isLoading: boolean): string {
  if (isLoading && !count) return '…';
  if (!count) return '';
  return type.kind === 'singleton' ? 'one' : count.total.toLocaleString('en');
}
