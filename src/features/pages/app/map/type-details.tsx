import type { About, TypeAbout } from '../../about.js';
import { graphiqlLink } from '../graphiql/link.js';
import { readQuery } from '../records/operations.js';
import { Link } from '../ui/link.js';
import { StateBadge } from '../ui/state-bar.js';
import { FieldList } from './field-list.js';

/** What is known of a type: its relations, its names on both surfaces, and its fields on demand. */
export function TypeDetails({ type, about, search }: { type: TypeAbout; about: About; search: string }) {
  const titleOf = (model: string) => about.types.find((other) => other.model === model)?.title ?? model;
  return (
    <section className="card details" aria-label={type.title}>
      <div className="details-head">
        <h2>{type.title}</h2>
        <Link className="close" to="schema" aria-label="Close">
          ×
        </Link>
      </div>
      <p>{type.description}</p>
      {type.hasStates && (
        <p className="badges">
          {['draft', 'submitted', 'cancelled'].map((state) => (
            <StateBadge key={state} state={state} />
          ))}
        </p>
      )}
      <p className="details-links">
        <Link className="button main small" to={`records/${type.slug}`}>
          Its records
        </Link>
        {about.graphiql && (
          <a className="button small" href={graphiqlLink(readQuery(type))}>
            Open in GraphiQL
          </a>
        )}
      </p>
      <Relations title="Belongs to" links={type.parents} titleOf={titleOf} />
      {type.ofAnyRecord && <p className="soft">It may belong to any record, also to one that is not held here.</p>}
      <Relations title="Its lines" links={type.lines} titleOf={titleOf} />
      <FieldList type={type} search={search} />
      <h3>REST</h3>
      <ul className="names">
        {type.endpoints.map(({ name, method, path }) => (
          <li key={name}>
            <span className={`method ${method.toLowerCase()}`}>{method}</span> <code>{path}</code>
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

interface RelationsProps {
  title: string;
  links: { model: string; field: string }[];
  titleOf: (model: string) => string;
}

function Relations({ title, links, titleOf }: RelationsProps) {
  if (links.length === 0) return null;
  return (
    <>
      <h3>{title}</h3>
      <ul className="names">
        {links.map(({ model, field }) => (
          <li key={field}>
            <Link to={`schema/${model}`}>{titleOf(model)}</Link> <code className="soft">{field}</code>
          </li>
        ))}
      </ul>
    </>
  );
}
