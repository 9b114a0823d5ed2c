import { useEffect, useId, useRef, useState } from 'react';
import { pathOf } from '../addresses.js';
import { typeNamed, useAbout } from '../api/about.js';
import { goTo } from '../router.js';
import { StateLegend } from '../ui/state-bar.js';
import { Drawing } from './drawing.js';
import { matches } from './search.js';
import { TypeDetails } from './type-details.js';

/** The record types as a map, with what is known of one of them beside it. */
export function MapPage({ model }: { model: string | undefined }) {
  const about = useAbout();
  const [search, setSearch] = useState('');
  const id = useId();
  const details = useRef<HTMLDivElement>(null);
  const selected = model === undefined ? undefined : typeNamed(about, model);
  const found = about.types.filter((type) => matches(type, search));

  useEffect(() => {
    const isBelow = matchMedia('(max-width: 70rem)').matches;
    if (model && isBelow) details.current?.scrollIntoView({ block: 'start' });
  }, [model]);

  useEffect(() => {
    if (!model) return;
    const close = ({ key, target }: KeyboardEvent) => {
      // In the field, Escape takes back what was typed.
      if (key === 'Escape' && !(target instanceof HTMLInputElement && target.value)) goTo(pathOf('schema'));
    };
    addEventListener('keydown', close);
    return () => removeEventListener('keydown', close);
  }, [model]);

  return (
    <>
      <div className="map-head">
        <div>
          <h1>Map of the records</h1>
          <p className="soft">
            {about.types.length} types by area, each with its lines below it. The dots are states: <StateLegend />
          </p>
        </div>
        <search>
          <form
            onSubmit={(event) => {
              event.preventDefault();
              const [first] = found;
              if (first) goTo(pathOf(`schema/${first.model}`));
            }}
          >
            <label htmlFor={id}>Find a type or a field</label>
            <input
              id={id}
              type="search"
              value={search}
              placeholder="repair, grand_total, serialNo …"
              onChange={(event) => setSearch(event.target.value)}
            />
            <p className="hint" role="status">
              {search && (found.length === 0 ? 'Nothing is called so.' : `${found.length} of ${about.types.length}`)}
            </p>
          </form>
        </search>
      </div>
      <div className={selected ? 'map-body with-details' : 'map-body'}>
        <Drawing about={about} search={search} selected={selected?.model} />
        {selected && (
          <div ref={details} className="map-details">
            <TypeDetails key={selected.model} type={selected} about={about} search={search} />
          </div>
        )}
      </div>
      {model && !selected && <p className="notice">There is no type {model}. All there are is on the map.</p>}
    </>
  );
}
