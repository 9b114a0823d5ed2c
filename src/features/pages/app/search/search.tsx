import { Suspense, useEffect, useState } from 'react';
import { Button } from '../ui/button.js';
import { later } from '../ui/later.js';

const SearchDialog = later(async () => (await import('./search-dialog.js')).SearchDialog);

/** There, Ctrl-K deletes the rest of a line. */
const isMac = /Mac/.test(navigator.userAgent);

/** Where the key belongs to somebody else: in GraphiQL's editors, and on the page of the reference, which has its own search. */
const foreign = '.embedded, body:has(.reference)';

/** One search over everything, by its button and by Ctrl-K. */
export function Search() {
  const [isOpen, setIsOpen] = useState(false);
  useEffect(() => {
    const open = (event: KeyboardEvent) => {
      if (event.key !== 'k' || event.altKey || !(isMac ? event.metaKey : event.ctrlKey)) return;
      if (event.target instanceof Element && event.target.closest(foreign)) return;
      event.preventDefault();
      // What another dialog asks is answered first.
      if (!document.querySelector('.dialog')) setIsOpen(true);
    };
    addEventListener('keydown', open);
    return () => removeEventListener('keydown', open);
  }, []);
  return (
    <>
      <Button icon="search" onClick={() => setIsOpen(true)}>
        <span className="if-wide">
          Search <kbd className="hint">{isMac ? '⌘K' : 'Ctrl-K'}</kbd>
        </span>
      </Button>
      <Suspense>{isOpen && <SearchDialog onClose={() => setIsOpen(false)} />}</Suspense>
    </>
  );
}
