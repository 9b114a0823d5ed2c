import { RepairPage } from './document/repair-page.js';
import { RepairList } from './list/repair-list.js';
import { addresses, placeAt, useHash } from './route.js';

/** The list, or the repair that the address names. */
export function Desk({ onLeave }: { onLeave: () => void }) {
  const place = placeAt(useHash());
  const id = typeof place === 'object' ? place.id : null;
  return (
    <>
      <header className="bar">
        <a className="brand" href={addresses.list}>
          Repair desk
        </a>
        <button type="button" className="quiet" onClick={onLeave}>
          Forget the key
        </button>
      </header>
      {/* The list stays, out of sight, so that going back finds its filter and its page. */}
      <div hidden={place !== 'list'}>
        <RepairList isShown={place === 'list'} />
      </div>
      {place !== 'list' && <RepairPage key={id} id={id} />}
    </>
  );
}
