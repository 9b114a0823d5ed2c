import { RepairPage } from './document/repair-page.js';
import { RepairList } from './list/repair-list.js';
import { WithOffer } from './offer/with-offer.js';
import { RecordPage } from './record/record-page.js';
import { addresses, placeAt, useHash } from './route.js';

/** The list, or the record that the address names. */
export function Desk({ onLeave }: { onLeave: () => void }) {
  const place = placeAt(useHash());
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
      <WithOffer>
        {/* The list stays, out of sight, so that going back finds its filter and its page. */}
        <div hidden={place.type !== 'list'}>
          <RepairList isShown={place.type === 'list'} />
        </div>
        {place.type === 'new' && <RepairPage key="new" id={null} />}
        {place.type === 'repair' && <RepairPage key={place.id} id={place.id} />}
        {place.type === 'record' && <RecordPage key={place.id} id={place.id} />}
      </WithOffer>
    </>
  );
}
