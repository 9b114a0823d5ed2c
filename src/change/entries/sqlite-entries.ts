/**
 * The entries of a whole plan on SQLite, as one statement that runs before the plan: it selects the stored values under
 * the conditions under which the plan then changes them. No other process writes in between.
 */
import type { Statement } from '../../common/work.js';
import { batchesOf, mostValues, StatementBuilder } from '../../database/statement-builder.js';
import type { Resource } from '../../model/resource.js';
import type { Becomes, Remove, Step, Update } from '../plan.js';
import { foreignParents } from '../refusals.js';
import {
  allowedOfMany,
  changeTable,
  conditionsOfOne,
  placeBehind,
  raisedSql,
  removeConditions,
  shiftConditions,
} from '../statements/conditions.js';
import { rowsText, sharesValues } from '../statements/insert.js';
import { byDocument, type CreatedEntry, columnsOfEntry, createdEntries, selectCreated } from './created-entries.js';
import {
  changesSql,
  entryColumns,
  insertEntries,
  type Journaled,
  lineDocument,
  mask,
  nameSql,
  removedEntries,
  selectEntries,
  shiftedEntries,
  timeJson,
  type UpdatedField,
  updatedEntries,
  updatedField,
} from './entry-sql.js';

/** A SELECT that becomes a part of the statement. */
interface Part {
  select(text: StatementBuilder): string;
  /** About how many values it binds, if they are many. */
  size?: number;
}

export function* sqliteEntries(journaled: Journaled, steps: readonly Step[]): Generator<Statement> {
  const inserts = steps.filter((step) => step.kind === 'insert');
  if (!journaled.document && inserts.length > 0) {
    yield* createdStatements(journaled, byDocument(createdEntries(inserts, journaled)));
    return;
  }
  let text = new StatementBuilder('sqlite');
  let selects: string[] = [];
  const statement = () => {
    const head = journaled.document ? `WITH ${documentSql(text, journaled)} ` : '';
    return text.statement(`${head}${insertEntries} ${selects.join(' UNION ALL ')}`);
  };
  for (const { select, size = 0 } of partsOf(journaled, steps)) {
    if (selects.length > 0 && text.values.length + size > mostValues) {
      yield statement();
      [text, selects] = [new StatementBuilder('sqlite'), []];
    }
    selects.push(select(text));
  }
  if (selects.length > 0) yield statement();
}

/** The document whose lines change, as it will be; no row if it is gone or has another version. */
function documentSql(text: StatementBuilder, { document, at }: Journaled): string {
  // Only PostgreSQL changes lines that it has not read.
  const { id = '', resource, version, locked, allowed, becomes } = document ?? {};
  if (!resource) {
    const present = `coalesce((SELECT "version" FROM "${foreignParents}" WHERE "id" = ${text.bind(id)}), 0)`;
    const condition = version == null ? '' : ` WHERE ${present} = ${text.bind(version)}`;
    return `"document" AS MATERIALIZED (SELECT ${present} + 1 AS "revision", ${text.bind(at)} AS "time"${condition})`;
  }
  const { revision, time } = raised(text, resource, at, becomes);
  const conditions = conditionsOfOne(text, { raises: true, resource, locked, allowed }, { id, values: {}, version });
  return `"document" AS MATERIALIZED (SELECT ${revision} AS "revision", ${time} AS "time", "updatedAt" AS "last time"
    FROM "${resource.model}" WHERE ${conditions.join(' AND ')})`;
}

/** The version and the time that a record gets; the time of the plan if it brings its own. */
function raised(text: StatementBuilder, { model, timestamps }: Resource, at: Date, becomes: Becomes | undefined) {
  if (becomes) return { revision: text.bind(becomes.version), time: text.bind(at) };
  const { version, updatedAt } = raisedSql(text, model, at);
  return { revision: version, time: timestamps ? updatedAt() : '' };
}

/**
 * The entries of each step of a plan, as a SELECT of the stored values before the step. Those of one document are
 * adjacent, also where many change: a reader that has read up to a position between documents has each of them whole.
 */
function* partsOf(journaled: Journaled, steps: readonly Step[]): Generator<Part> {
  const { document } = journaled;
  for (const step of steps) {
    switch (step.kind) {
      case 'raise':
        if (document?.resource) yield { select: (text) => raisedEntry(text, journaled) };
        break;
      // New lines of a document that was there before.
      case 'insert': {
        const idx = (text: StatementBuilder) => step.behind && placeBehind(text, step, text.bind(step.rows[0]?.idx));
        const lines = (text: StatementBuilder) => ({ from: '"document"', idx: idx(text) });
        for (const batch of batchesOf('sqlite', createdEntries([step], journaled), columnsOfEntry.length)) {
          const select: Part['select'] = (text) => selectCreated(text, journaled, batch, lines(text));
          yield { select, size: batch.length * columnsOfEntry.length };
        }
        break;
      }
      case 'update':
        yield* updatedParts(journaled, step);
        break;
      case 'remove':
        yield* removedParts(journaled, step);
        break;
      case 'shift': {
        const from = (text: StatementBuilder) =>
          `"${step.resource.model}" CROSS JOIN "document" WHERE ${shiftConditions(text, step)}`;
        yield { select: (text) => shiftedEntries(text, journaled, step, from(text), false) };
        break;
      }
    }
  }
}

/** New documents with their lines: everything is known, so these are rows, whose text is kept as that of new records is. */
function* createdStatements({ by }: Journaled, entries: readonly CreatedEntry[]): Generator<Statement> {
  const common = ['create', by.keyId, by.keyName, by.requestId, by.operation ?? null];
  for (const batch of batchesOf('sqlite', entries, entryColumns.length)) {
    const text = new StatementBuilder('sqlite');
    const isShared = sharesValues(batch.length);
    for (const entry of batch) {
      for (const value of rowOf(entry)) text.bind(value);
      if (!isShared) for (const value of common) text.bind(value);
    }
    if (isShared) for (const value of common) text.bind(value);
    yield text.statement(
      isShared
        ? rowsText('JournalEntry', ownColumns, batch.length, commonColumns)
        : rowsText('JournalEntry', createdColumns, batch.length),
    );
  }
}

const ownColumns = ['at', 'model', 'recordId', 'documentModel', 'documentId', 'revision', 'version', 'changes'];
const commonColumns = ['action', 'keyId', 'keyName', 'requestId', 'operation'];
const createdColumns = [...ownColumns, ...commonColumns];

/** In the order of `ownColumns`. */
const rowOf = ({ at, model, id, documentModel, documentId, revision, version, changes }: CreatedEntry) => [
  at,
  model,
  id,
  documentModel ?? null,
  documentId,
  revision,
  version,
  changes,
];

function raisedEntry(text: StatementBuilder, journaled: Journaled): string {
  const document = lineDocument(text, journaled);
  return selectEntries(text, journaled.by, {
    action: nameSql('update'),
    model: document.documentModel,
    id: document.documentId,
    version: document.revision,
    changes: changesSql([], timeJson('sqlite', '"document"."last time"')),
    from: '"document"',
    ...document,
  });
}

function* updatedParts(journaled: Journaled, step: Update): Generator<Part> {
  const { resource, raises } = step;
  const table = `"${resource.model}"`;
  const join = resource.kind === 'child' ? ' CROSS JOIN "document"' : '';
  const rows = step.rows.filter(({ values }) => raises || Object.keys(values).length > 0);
  const [first, ...others] = rows;
  if (!first) return;
  const entries = (text: StatementBuilder, fields: readonly UpdatedField[], from: string) => {
    const { revision, time } = raised(text, resource, journaled.at, first.becomes);
    const read = { row: table, revision, at: time, updatedAt: `${table}."updatedAt"`, fields, from };
    return updatedEntries(text, journaled, resource, read);
  };
  if (others.length === 0) {
    const given = resource.fields.filter(({ name }) => name in first.values);
    const from = (text: StatementBuilder) =>
      `${table}${join} WHERE ${conditionsOfOne(text, step, first).join(' AND ')}`;
    const fields = (text: StatementBuilder) =>
      given.map((field) => {
        const { name, secret } = field;
        const value = first.values[name];
        const shown = text.bindColumn(resource.model, name, value);
        const after = text.bind(JSON.stringify(secret && value !== null ? mask : value));
        return updatedField('sqlite', field, `"${name}"`, shown, undefined, after);
      });
    yield { select: (text) => entries(text, fields(text), from(text)) };
    return;
  }
  const { columns, fields: changed, conditions } = changeTable(step);
  const fields = changed.map(({ field, differs }) =>
    updatedField('sqlite', field, `${table}."${field.name}"`, `"change"."${field.name}"`, differs),
  );
  for (const part of batchesOf('sqlite', rows, columns.length)) {
    const from = (text: StatementBuilder) =>
      `${text.table('change', columns, part)}${join} JOIN ${table} WHERE ${[...conditions, ...allowedOfMany(text, step)].join(' AND ')}`;
    yield { select: (text) => entries(text, fields, from(text)), size: part.length * columns.length };
  }
}

/** How many rows one statement may delete, so that others need not wait for it long. */
const mostRemoved = 1000;

function* removedParts(journaled: Journaled, step: Remove): Generator<Part> {
  // Each document with its lines in a statement of its own, where they are many.
  const isMany = journaled.rows > mostRemoved;
  for (const rows of isMany ? step.rows.map((row) => [row]) : [step.rows]) {
    const select: Part['select'] = (text) => removed(text, journaled, { ...step, rows });
    yield { select, size: isMany ? mostValues : 0 };
  }
}

function removed(text: StatementBuilder, journaled: Journaled, step: Remove): string {
  const { model, kind, lines } = step.resource;
  const conditions = `${kind === 'child' ? ' CROSS JOIN "document"' : ''} WHERE ${removeConditions(text, step)}`;
  const union = removedEntries(text, journaled, step, model, conditions).join(' UNION ALL ');
  return lines.length > 0 && step.rows.length > 1
    ? `${union} ORDER BY ${entryColumns.indexOf('documentId') + 1}`
    : union;
}
