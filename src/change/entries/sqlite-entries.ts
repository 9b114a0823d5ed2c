/**
 * The entries of a whole plan on SQLite, as one statement that runs before the plan: it selects the stored values under
 * the conditions under which the plan then changes them. No other process writes in between.
 */
import type { Statement } from '../../common/work.js';
import type { Resource } from '../../model/resource.js';
import type { Insert, Remove, Shift, Step } from '../plan.js';
import { foreignParents } from '../refusals.js';
import { mostValues, StatementBuilder } from '../statements/statement-builder.js';
import { placeBehind, removeConditions, shiftConditions } from '../statements/step-conditions.js';
import { conditionsOfOne } from '../statements/update.js';
import { changesSql, documentIdColumn, insertEntries, recordSql, selectEntries, timeJson } from './changes-sql.js';
import { byDocument, createdEntries, selectCreated, valuesOfCreated } from './created-entries.js';
import type { Journaled, LineDocument } from './journaled.js';
import { few, ofDocument, type Part, raisedSql, updatedParts } from './sqlite-updates.js';

export function* sqliteEntries(journaled: Journaled, steps: readonly Step[]): Generator<Statement> {
  let parts: Part[] = [];
  let size = 0;
  for (const part of partsOf(journaled, steps)) {
    if (parts.length > 0 && size + part.size > mostValues) {
      yield statementOf(journaled, parts);
      [parts, size] = [[], 0];
    }
    parts.push(part);
    size += part.size;
  }
  if (parts.length > 0) yield statementOf(journaled, parts);
}

function statementOf(journaled: Journaled, parts: readonly Part[]): Statement {
  const text = new StatementBuilder('sqlite');
  const withs = journaled.document ? [documentSql(text, journaled.document, journaled.at)] : [];
  for (const [index, part] of parts.entries()) if (part.with) withs.push(part.with(text, `change ${index}`));
  const head = withs.length > 0 ? `WITH ${withs.join(', ')} ` : '';
  const selects = parts.map((part, index) => part.select(text, `change ${index}`));
  return text.statement(`${head}${insertEntries} ${selects.join(' UNION ALL ')}`);
}

/** The document whose lines change, as it will be; no row if it is gone or has another version. */
function documentSql(text: StatementBuilder, document: LineDocument, at: Date): string {
  // Only PostgreSQL changes lines that it has not read.
  const { id = '', resource, version, locked } = document;
  if (!resource) {
    const present = () => `coalesce((SELECT "version" FROM "${foreignParents}" WHERE "id" = ${text.bind(id)}), 0)`;
    const select = `SELECT ${present()} + 1 AS "revision", ${text.bind(at)} AS "time"`;
    const condition = version == null ? '' : ` WHERE ${present()} = ${text.bind(version)}`;
    return `"document" AS MATERIALIZED (${select}${condition})`;
  }
  const { revision, time } = raisedSql(text, resource, at, document);
  const columns = `${revision()} AS "revision", ${time()} AS "time", "updatedAt" AS "last time"`;
  const conditions = conditionsOfOne(text, { raises: true, resource }, { id, values: {}, version, locked }).join(
    ' AND ',
  );
  return `"document" AS MATERIALIZED (SELECT ${columns} FROM "${resource.model}" WHERE ${conditions})`;
}

/**
 * The entries of each step of a plan on SQLite, as a SELECT of the stored values before the step. Those of one document
 * are adjacent, also where many change: a reader that has read up to a position between documents has each of them
 * whole.
 */
function* partsOf(journaled: Journaled, steps: readonly Step[]): Generator<Part> {
  const { by, document } = journaled;
  const inserts = steps.filter((step) => step.kind === 'insert');
  if (!document && inserts.length > 0) {
    yield* valuesOfCreated(by, byDocument(createdEntries(inserts, journaled)));
    return;
  }
  for (const step of steps) {
    switch (step.kind) {
      case 'raise':
        if (document?.resource) yield { select: (text) => raised(text, journaled), size: few };
        break;
      case 'insert':
        yield { select: (text) => inserted(text, journaled, step), size: few };
        break;
      case 'update':
        yield* updatedParts(journaled, step);
        break;
      case 'remove':
        yield* removedParts(journaled, step);
        break;
      case 'shift':
        yield { select: (text) => shifted(text, journaled, step), size: few };
        break;
    }
  }
}

function raised(text: StatementBuilder, { by, document }: Journaled): string {
  return selectEntries(text, by, {
    ...ofDocument,
    action: 'update',
    model: document?.resource?.model ?? '',
    id: () => text.bind(document?.id),
    documentModel: document?.resource?.model,
    documentId: () => text.bind(document?.id),
    version: ofDocument.revision,
    changes: changesSql([], () => timeJson('sqlite', '"document"."last time"')),
    from: () => '"document"',
  });
}

function inserted(text: StatementBuilder, journaled: Journaled, step: Insert): string {
  const idx = step.behind === undefined ? {} : { idx: () => placeBehind(text, step, text.bind(step.rows[0]?.idx)) };
  return selectCreated(text, journaled.by, createdEntries([step], journaled), {
    ...ofDocument,
    from: '"document"',
    ...idx,
  });
}

function shifted(text: StatementBuilder, { by, document }: Journaled, step: Shift): string {
  const { model } = step.resource;
  return selectEntries(text, by, {
    ...ofDocument,
    action: 'move',
    model,
    id: () => `"${model}"."id"`,
    documentModel: document?.resource?.model,
    documentId: () => text.bind(step.parentId),
    version: () => `"${model}"."version" + 1`,
    changes: () => `'{"idx":[' || "idx" || ',' || ("idx" + ${step.by}) || ']}'`,
    from: () => `"${model}" CROSS JOIN "document" WHERE ${shiftConditions(text, step)}`,
  });
}

/** How many rows one statement may delete, so that others need not wait for it long. */
const mostRemoved = 1000;

function* removedParts(journaled: Journaled, step: Remove): Generator<Part> {
  if (journaled.rows <= mostRemoved) {
    yield { select: (text) => removed(text, journaled, step), size: few };
    return;
  }
  // Each document with its lines in a statement of its own.
  for (const row of step.rows) {
    yield { select: (text) => removed(text, journaled, { ...step, rows: [row] }), size: mostValues };
  }
}

function removed(text: StatementBuilder, { by, at, document }: Journaled, step: Remove): string {
  const { model, kind, lines } = step.resource;
  const column = (table: string) => (name: string) => `"${table}"."${name}"`;
  const entry = (resource: Resource) => ({
    action: 'delete' as const,
    model: resource.model,
    id: () => column(resource.model)('id'),
    version: () => column(resource.model)('version'),
    changes: recordSql('sqlite', resource, column(resource.model)),
  });
  if (kind === 'child') {
    return selectEntries(text, by, {
      ...ofDocument,
      ...entry(step.resource),
      documentModel: document?.resource?.model,
      documentId: () => text.bind(document?.id),
      from: () => `"${model}" CROSS JOIN "document" WHERE ${removeConditions(text, step)}`,
    });
  }
  const whole = {
    at: () => `max("${model}"."updatedAt", ${text.bind(at)})`,
    revision: () => `"${model}"."version" + 1`,
    documentModel: model,
    documentId: () => `"${model}"."id"`,
  };
  const conditions = () => removeConditions(text, step);
  const selects = [
    selectEntries(text, by, { ...entry(step.resource), ...whole, from: () => `"${model}" WHERE ${conditions()}` }),
  ];
  for (const { resource, reference } of lines) {
    const join = `"${model}" JOIN "${resource.model}" ON "${resource.model}"."${reference}" = "${model}"."id"`;
    const from = () => `${join} WHERE ${conditions()}`;
    selects.push(selectEntries(text, by, { ...entry(resource), ...whole, from }));
  }
  const union = selects.join(' UNION ALL ');
  return lines.length > 0 && step.rows.length > 1 ? `${union} ORDER BY ${documentIdColumn}` : union;
}
