import { useEffect, useId, useRef, useState } from 'react';
import { type FieldAbout, type TypeAbout, typeCalled } from '../../about.js';
import { useAbout } from '../api/graphql.js';
import { Areas } from '../overview/overview.js';
import { firstLook } from '../records/operations.js';
import { goTo, graphiqlLink, pathOf } from '../router.js';
import { Link } from '../ui/controls.js';
import { Icon } from '../ui/icon.js';
import { StateLegend, states } from '../ui/state-bar.js';

/** The record types as a map, with what is known of one of them beside it. */
export function MapPage({ model }: { model: string | undefined }) {
  const about = useAbout();
  const [search, setSearch] = useState('');
  const id = useId();
  const details = useRef<HTMLDivElement>(null);
  const selected = typeCalled(about, model);
  const found = about.types.filter((type) => matches(type, search));

  useEffect(() => {
    const isBelow = matchMedia('(max-width: 60rem)').matches;
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
      <div className="beside map-head">
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
      <div className={selected ? 'beside' : undefined}>
        <div className="drawing">
          <Areas
            item={(type) => (
              <TypeBox
                key={type.model}
                type={type}
                isFound={search.trim() !== '' && found.includes(type)}
                isSelected={type === selected}
              />
            )}
          />
        </div>
        {selected && (
          <div ref={details} className="map-details">
            <TypeDetails key={selected.model} type={selected} search={search} />
          </div>
        )}
      </div>
      {model && !selected && <p className="notice">There is no type {model}. All there are is on the map.</p>}
    </>
  );
}

/** A record type on the map; a line is below its record, and called without its name. */
function TypeBox({ type, isFound, isSelected }: { type: TypeAbout; isFound: boolean; isSelected: boolean }) {
  const parent = typeCalled(useAbout(), type.parents[0]?.model);
  const { model, title, kind, fields, hasStates, ofAnyRecord } = type;
  const more = kind === 'singleton' ? ' · there is one' : ofAnyRecord ? ' · line of any record' : '';
  return (
    <li className={parent && 'line-type'}>
      <Link to={`schema/${model}`} className={isFound ? 'is-found' : undefined} aria-current={isSelected || undefined}>
        <span className="map-name">{title.replace(`${parent?.title} `, '')}</span>
        <span className="hint">{(fields.length === 1 ? '1 field' : `${fields.length} fields`) + more}</span>
        {hasStates && (
          <span className="map-states">
            {states.map((state) => (
              <span key={state} className={state} title={state} />
            ))}
          </span>
        )}
      </Link>
    </li>
  );
}

/** What is known of a type: its relations, its names on both surfaces, and its fields on demand. */
function TypeDetails({ type, search }: { type: TypeAbout; search: string }) {
  const about = useAbout();
  return (
    <section className="card details" aria-label={type.title}>
      <Link className="button quiet" to="schema" aria-label="Close">
        <Icon name="cancel" />
      </Link>
      <h2>{type.title}</h2>
      <p>{type.description}</p>
      {type.hasStates && (
        <p>
          <StateLegend />
        </p>
      )}
      <p className="action-bar">
        <Link className="button main small" to={`records/${type.slug}`}>
          Its records
        </Link>
        {about.graphiql && (
          <a className="button small" href={graphiqlLink(firstLook(type, about))}>
            Open in GraphiQL
          </a>
        )}
      </p>
      <Relations title="Belongs to" links={type.parents} />
      {type.ofAnyRecord && <p className="soft">It may belong to any record, also to one that is not held here.</p>}
      <Relations title="Its lines" links={type.lines} />
      <FieldList type={type} search={search} />
      <h3>REST</h3>
      <ul className="names">
        {type.endpoints.map(({ name, method, path }) => (
          <li key={name}>
            <span className="method hint">{method}</span> <code>{path}</code>
          </li>
        ))}
      </ul>
      <h3>GraphQL</h3>
      <ul className="names">
        {[type.one, type.many, type.aggregate, ...type.mutations, type.subscription].filter(Boolean).map((name) => (
          <li key={name}>
            <code>{name}</code>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Relations({ title, links }: { title: string; links: TypeAbout['parents'] }) {
  const about = useAbout();
  if (links.length === 0) return null;
  return (
    <>
      <h3>{title}</h3>
      <ul className="names">
        {links.map(({ model, field }) => (
          <li key={field}>
            <Link to={`schema/${model}`}>{typeCalled(about, model)?.title ?? model}</Link>{' '}
            <code className="soft">{field}</code>
          </li>
        ))}
      </ul>
    </>
  );
}

/** The fields of a type, shown on demand; at once where a search is about some of them. */
function FieldList({ type, search }: { type: TypeAbout; search: string }) {
  // None where the search is about the type as a whole.
  const found = search.trim() ? fieldsFound(type, search) : [];
  const shown = found.length > 0 ? found : type.fields;
  return (
    <details className="fields" open={found.length > 0 || type.fields.length <= 6}>
      <summary>
        {found.length > 0 ? `${found.length} of ${type.fields.length} fields` : `${type.fields.length} fields`}
      </summary>
      <dl>
        {shown.map((field) => (
          <div key={field.name}>
            <dt>
              <code>{field.name}</code> <span className="soft">{typeOf(field)}</span>
              {field.restName !== field.name && <code className="soft rest-name">{field.restName}</code>}
            </dt>
            <dd>{field.description}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

function typeOf({ type, required, default: value }: FieldAbout): string {
  if (required) return `${type}, required`;
  return value === undefined ? type : `${type}, ${JSON.stringify(value)} if left out`;
}

/** Whether the words of a search are in the names of a type, or of one of its fields. */
const matches = (type: TypeAbout, search: string): boolean =>
  [type.title, type.model, type.slug, type.one, type.many, type.area].some((name) => contains(name, search)) ||
  fieldsFound(type, search).length > 0;

const fieldsFound = ({ fields }: TypeAbout, search: string): FieldAbout[] =>
  fields.filter(({ name, restName }) => contains(name, search) || contains(restName, search));

const contains = (text: string, search: string): boolean => text.toLowerCase().includes(search.trim().toLowerCase());
