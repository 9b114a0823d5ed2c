import { useQuery } from '@tanstack/react-query';
import { Fragment } from 'react';
import { type About, type FieldAbout, listsOf, type TypeAbout, typeCalled } from '../../../about.js';
import { ask, useAbout } from '../../api/graphql.js';
import { useMay } from '../../session/viewer.js';
import { Link } from '../../ui/controls.js';
import type { RecordProps, RecordValues } from '../form/draft.js';
import { shortened, Value } from '../list/rows.js';

/** What was read of the relations of a record, or of one that names it. */
export type Related = Readonly<Record<string, unknown>>;

/** A record as others lead to it. */
type Named = Related & { id: string; displayTitle: string };

/** The most records of a type that are listed as naming a record. */
const most = 20;

/**
 * The records that a record and its lines name, what it is a line of, and what names it. Asked apart from the record: types that
 * the user may not read are left out, and whatever is refused of it leaves a text that leads nowhere.
 */
export function useRelations(type: TypeAbout, id: string, version: number | undefined): Related | undefined {
  const about = useAbout();
  const may = useMay();
  const named = '{ id displayTitle }';
  const isRead = (model: string) => about.types.some((type) => type.model === model && may(type, 'READ') !== false);
  const linksOf = ({ fields }: TypeAbout) =>
    fields.flatMap(({ link }) => (link && isRead(link.model) ? `${link.field} ${named}` : []));
  const parentsOf = ({ parents }: TypeAbout) => parents.map(({ field }) => `${field} ${named}`);
  const parts = [
    ...linksOf(type),
    ...parentsOf(type),
    ...listsOf(type, about).flatMap(({ own, field }) => {
      const links = linksOf(own);
      return links.length > 0 ? `${field} { id ${links.join(' ')} }` : [];
    }),
    ...type.waysBack.flatMap(({ model, field }) => {
      const own = typeCalled(about, model);
      if (!own || !isRead(model)) return [];
      return `${field}(first: ${most}) { totalCount nodes { id displayTitle ${parentsOf(own).join(' ')} } }`;
    }),
  ];
  const query = `query ($id: ID!) { ${type.one}(id: $id) { id ${parts.join(' ')} } }`;
  const { data } = useQuery({
    queryKey: ['relations', id, version, query],
    enabled: version !== undefined && parts.length > 0 && type.kind !== 'singleton',
    queryFn: async ({ signal }) => (await ask<Record<string, Related>>({ query, variables: { id } }, signal)).data,
  });
  return data?.[type.one];
}

const isNamed = (value: unknown): value is Named =>
  typeof value === 'object' && value !== null && 'displayTitle' in value;

export const addressOfRecord = (about: About, model: string, id: string) =>
  `records/${typeCalled(about, model)?.slug}/${id}`;

/** The value of a field; where it names a record, it leads to it. */
export function LinkedValue({ field, record, related }: LinkedProps) {
  const about = useAbout();
  const value = <Value field={field} value={record[field.name]} currency={record[field.currency ?? '']} />;
  const named = field.link && related?.[field.link.field];
  if (!field.link || !isNamed(named)) return value;
  return (
    <Link to={addressOfRecord(about, field.link.model, named.id)}>
      {field.link.by === 'id' ? shortened(named.displayTitle) : value}
    </Link>
  );
}

interface LinkedProps {
  field: FieldAbout;
  record: RecordValues;
  related: Related | undefined;
}

/** The document of a line. */
export function parentOf(type: TypeAbout, related: Related | undefined) {
  for (const { model, field } of type.parents) {
    const parent = related?.[field];
    if (isNamed(parent)) return { model, ...parent };
  }
  return undefined;
}

interface ParentProps {
  type: TypeAbout;
  record?: RecordValues;
  related: Related | undefined;
}

/** The way from a line to its document, also to one that is not held here. */
export function ParentLink({ type, record, related }: ParentProps) {
  const about = useAbout();
  const parent = parentOf(type, related);
  if (!parent) return record?.parentId ? `of ${record.parentType} ${record.parentId}` : null;
  return (
    <>
      of <Link to={addressOfRecord(about, parent.model, parent.id)}>{shortened(parent.displayTitle)}</Link>
    </>
  );
}

/** How many records of each type name this one by a text, and the first of them. */
export function namingRecords(type: TypeAbout, related: Related | undefined, about: About) {
  return type.waysBack.flatMap(({ field, model, text }) => {
    const own = typeCalled(about, model);
    const found = related?.[field];
    if (!own || typeof found !== 'object' || found === null || !('totalCount' in found)) return [];
    const nodes = 'nodes' in found && Array.isArray(found.nodes) ? found.nodes : [];
    const count = Number(found.totalCount);
    return count > 0 ? [{ own, text, count, nodes: nodes.filter(isNamed) }] : [];
  });
}

/** The records that name this one. */
export function NamedBy({ type, record, related }: RecordProps & { related: Related | undefined }) {
  const about = useAbout();
  const found = namingRecords(type, related, about);
  if (found.length === 0) return null;
  return (
    <section className="card naming" aria-label="Named by">
      <h2>Named by</h2>
      {found.map(({ own, text, count, nodes }) => {
        const by = own.fields.find(({ name }) => name === text)?.link?.by ?? 'id';
        const where = new URLSearchParams({ where: `${text} eq ${record[by]}` });
        return (
          <Fragment key={own.model + text}>
            <h3>
              {own.kind === 'child' ? own.title : <Link to={`records/${own.slug}?${where}`}>{own.title}</Link>}{' '}
              <span className="soft">{count.toLocaleString()}</span>
            </h3>
            <ul className="names">
              {nodes.map((node) => (
                <li key={node.id}>
                  <Link to={`records/${own.slug}/${node.id}`}>{shortened(node.displayTitle)}</Link>{' '}
                  <ParentLink type={own} related={node} />
                </li>
              ))}
              {count > nodes.length && <li>and {(count - nodes.length).toLocaleString()} more</li>}
            </ul>
          </Fragment>
        );
      })}
    </section>
  );
}
