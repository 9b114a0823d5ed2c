import type { Repair } from '../api/repair.js';
import type { Changes } from '../merge/changes-between.js';
import { Author } from './author.js';

/** The shown values that somebody else has changed. */
export function News({ news, repair }: { news: Changes; repair: Repair }) {
  const words = news.words.length > 0 ? news.words.join(', ') : `now ${repair.status.toLowerCase()}`;
  return (
    <p className="news" role="status">
      Changed
      <Author id={repair.id} version={repair.version} />: {words}.
    </p>
  );
}
