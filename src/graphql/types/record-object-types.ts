/** The GraphQL type of each record: its fields, children and parents. */
import { type Field, largestInt32 } from '../../model/field.js';
import { allowedActions, isDocumentStatus, isStatus } from '../../model/lifecycle.js';
import { largestPageSize } from '../../model/limits.js';
import { camelOf, enumName } from '../../model/names.js';
import { type Presentation, presentationOf } from '../../model/presentation.js';
import { recordName } from '../../model/record-name.js';
import { authorColumns, type Lines, type Parent, type Resource } from '../../model/resource.js';
import type { ColumnType } from '../../model/selection.js';
import { whereOf } from '../../query/delegate.js';
import { conditionOf } from '../../query/filter.js';
import { byPosition, keysOf, prismaOrderOf } from '../../query/list.js';
import { answeredBySql } from '../answered-by-sql.js';
import { type Builder, perBuilder, perResource } from '../builder.js';
import { constrained, listArguments } from '../inputs/filters.js';
import { partsOf } from '../schema-part.js';
import { valueNotes } from '../value-notes.js';
import { isId } from './columns.js';
import { documentStatus, knownStatus, recordAction } from './enums.js';
import {
  actionState,
  actionsOf,
  document,
  mainRecord,
  node,
  record,
  recordIdMeaning,
  selectForActions,
} from './record-interfaces.js';
import { type Fields, type RecordFields, type RecordType, recordType } from './record-type.js';

export const typeOf = perResource(
  (builder, resource: Resource): RecordType =>
    recordType(builder, resource, interfacesOf(builder, resource), (t) => ({
      id: column(t, 'id', 'ID'),
      recordId: column(t, 'id', 'ID', recordIdMeaning),
      ...Object.fromEntries(
        resource.fields.map((field) => [
          field.name,
          isDocumentStatus(resource, field.name)
            ? statusField(builder, t, resource, field.description)
            : documented(t, resource, field),
        ]),
      ),
      ...(resource.timestamps
        ? {
            createdAt: column(t, 'createdAt', 'DateTime'),
            updatedAt: column(t, 'updatedAt', 'DateTime'),
            ...Object.fromEntries(authorColumns.map((name) => [name, column(t, name, 'String', undefined, true)])),
          }
        : {}),
      version: column(t, 'version', 'Int'),
      ...(resource.documentLike ? documentFields(builder, t) : {}),
      displayTitle: t.field({
        type: 'String',
        nullable: false,
        select: displayTitleColumns(resource),
        resolve: (row) => displayTitle(presentationOf(resource), row),
      }),
      actions: t.field({
        type: [actionState(builder)],
        nullable: false,
        select: (_, context) => selectForActions(resource, context),
        resolve: (row, _, context) => actionsOf(resource, row, context),
      }),
      ...Object.assign({}, ...partsOf(builder).map((part) => part.fields?.(builder, t, resource))),
      ...Object.fromEntries(resource.parents.map((parent) => [parent.field, parentField(t, parent)])),
      ...Object.fromEntries(resource.lines.map((lines) => [lines.field, linesField(builder, t, lines)])),
    })),
);

/** Creates all types before the schema is built, because they refer to each other. */
export function addRecordTypes(builder: Builder, resources: readonly Resource[]): void {
  for (const resource of resources) typeOf(builder, resource);
}

/** Every type is a `BusinessRecord`; one with times of its own is a `MainRecord` too, and one with states a `BusinessDocument`. */
const interfacesOf = (builder: Builder, { timestamps, documentLike }: Resource) => [
  node(builder),
  record(builder),
  ...(timestamps ? [mainRecord(builder)] : []),
  ...(documentLike ? [document(builder)] : []),
];

/** A column, which is null only where that is said. */
const column = (t: RecordFields, name: string, type: ColumnType, description?: string, nullable = false) =>
  t.expose(name, {
    type,
    nullable,
    description,
    extensions: answeredBySql({ kind: 'column', column: name, type, nullable }),
  });

/** A documented field: its column, with what is known of its values. */
const documented = (t: RecordFields, resource: Resource, field: Field) => {
  const { name, nullable } = field;
  const type = isId(field) ? 'ID' : field.type;
  const answer = answeredBySql({ kind: 'column', column: name, type, nullable });
  return t.expose(name, { type, nullable: name !== 'idx', extensions: { ...answer, ...valueNotes(resource, field) } });
};

/** The state of a document; SQL leaves a stored text that is none of the three to the resolver, which says so. */
const statusField = (builder: Builder, t: RecordFields, { title }: Resource, description: string) =>
  t.field({
    type: documentStatus(builder),
    nullable: false,
    // The model names the states as they are stored: `draft`.
    description: description.replaceAll(/[`"](\w+)[`"]/g, (quoted, word) =>
      isStatus(word) ? `\`${enumName(word)}\`` : quoted,
    ),
    select: { id: true, status: true },
    extensions: answeredBySql({ kind: 'status' }),
    resolve: ({ id, status }) => knownStatus(title, status, id),
  });

const documentFields = (builder: Builder, t: RecordFields): Fields => ({
  storedStatus: column(
    t,
    'status',
    'String',
    'Its state as it is stored and as REST shows it: `draft`, `submitted` or `cancelled`.',
  ),
  allowedActions: t.field({
    type: [recordAction(builder)],
    nullable: false,
    select: { status: true },
    extensions: answeredBySql({ kind: 'allowedActions' }),
    resolve: ({ status }) => allowedActions(status),
  }),
});

const parentField = (t: RecordFields, parent: Parent) => {
  const { resource, field, link } = parent;
  return t.relation(field, {
    extensions: answeredBySql({ kind: 'parent', parent }),
    description: link
      ? `The ${resource.title} this line belongs to; null where \`parentId\` names no ${resource.title}.`
      : `The ${resource.title} this line belongs to.`,
  });
};

const linesField = (builder: Builder, t: RecordFields, lines: Lines) => {
  const { resource, field } = lines;
  return t.relation(field, {
    extensions: answeredBySql({ kind: 'lines', lines }, ['where', 'orderBy', 'limit', 'offset']),
    args: { ...listArguments(builder, resource), ...sliceArguments(builder) },
    query: ({ where, orderBy, limit, offset }) => {
      const taken = limit ?? undefined;
      const skipped = offset ?? 0;
      const keys = keysOf(resource, orderBy, byPosition);
      const sorted = { orderBy: prismaOrderOf(keys, false) };
      if (!where && keys === byPosition) return { ...sorted, where: placesOf(taken, skipped) };
      return {
        ...sorted,
        ...(where ? { where: whereOf(conditionOf(resource, where)) } : {}),
        take: taken,
        skip: skipped,
      };
    },
  });
};

/**
 * A slice of the lines as a range of `idx`: lines are numbered 1…n. With `take` and `skip`, Prisma would read all lines
 * of every parent and cut the slices in memory.
 */
function placesOf(taken: number | undefined, skipped: number): object {
  if (taken === undefined) return skipped === 0 ? {} : { idx: { gt: skipped } };
  return { idx: { gt: skipped, lte: Math.min(skipped + taken, largestInt32) } };
}

const sliceArguments = perBuilder((builder) =>
  builder.args((t) => ({
    limit: t.int(constrained({ minimum: 1, maximum: largestPageSize })),
    offset: t.int(constrained({ minimum: 0 })),
  })),
);

/**
 * The title to show for a record. Default titles are templates such as `{supplier_name}`; they are stored as they are
 * and filled here from the record's fields (docs/decisions.md: title templates). A record without a title shows the fields that
 * name it, and its id where these are empty.
 */
function displayTitle(presentation: Presentation, row: { id: string } & Record<string, unknown>): string {
  const title = typeof row.title === 'string' ? row.title : '';
  const filled = title.replace(/\{(\w+)\}/g, (template, field: string) => {
    const value = row[camelOf(field)];
    return typeof value === 'string' ? value : value === null ? '' : template;
  });
  return filled.trim() || recordName(presentation, row) || row.id;
}

/** The columns that a title may need: the id, those that name the record and, of a type with titles, every text field. */
function displayTitleColumns(resource: Resource): Record<string, true> {
  const hasTitle = resource.fields.some(({ name }) => name === 'title');
  const texts = hasTitle ? resource.fields.filter(({ type }) => type === 'String').map(({ name }) => name) : [];
  const columns = ['id', ...presentationOf(resource).namedBy.flat(), ...texts];
  return Object.fromEntries(columns.map((name): [string, true] => [name, true]));
}
