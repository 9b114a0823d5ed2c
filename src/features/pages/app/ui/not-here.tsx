import { pathOf } from '../addresses.js';
import { Link } from './link.js';
import { Empty } from './notice.js';

/** Says that there is no page at this address, and leads to the one that was meant, or to the first. */
export function NotHere({ parts, isPage }: { parts: string[]; isPage(parts: string[]): boolean }) {
  const meant = parts.filter(Boolean);
  const path = meant.map(encodeURIComponent).join('/');
  const isMeant = meant.length > 0 && isPage(meant);
  return (
    <Empty title={`There is no page at /${parts.join('/')}.`}>
      {isMeant && (
        <p>
          There is one at <a href={pathOf(path)}>/{meant.join('/')}</a>.
        </p>
      )}
      <p>
        <Link to="">See what there is</Link>
      </p>
    </Empty>
  );
}
