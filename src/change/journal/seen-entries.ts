/**
 * Which entries of the journal a caller with rights may know of: those of documents that it sees now, and that it would have
 * seen in the version which the entry has made. What a document was then is what it is now, with later changes undone; of one
 * that is gone, what it was in the end. Where the journal has a gap, it is not known what a document was before, so that is
 * not shown.
 */
import type { Rows } from '../../common/work.js';
import type { Provider } from '../../database/migrations/migration-history.js';
import type { SeenDatabase } from '../../database/open-database.js';
import { placeholders } from '../../database/statement-builder.js';
import { type ChangeAction, changeActions } from '../../model/change.js';
import type { Resource } from '../../model/resource.js';
import type { Condition } from '../../query/condition.js';
import { columnsIn, matches } from '../../query/matches.js';
import type { Rights } from '../../query/rights.js';
import { fieldJson } from '../entries/entry-sql.js';
import { namedAuthor } from '../values.js';
import type { FieldChange, JournalEntry, StoredEntry } from './entry.js';
import { type EntrySource, rowsOf } from './journal-state.js';

/** What of an entry says which record it is of, and which change of it. */
type EntryOwner = Pick<JournalEntry, 'resource' | 'id' | 'document'>;
export type EntryPlace = EntryOwner & Pick<JournalEntry, 'action' | 'revision' | 'version'>;

/** The database of a request, also for what its caller does not see. */
export const wholeOf = ({ provider, perform, readAll }: SeenDatabase): EntrySource => ({
  provider,
  perform,
  read: readAll,
});

export class SeenEntries {
  private constructor(
    private readonly rights: Rights,
    private readonly sights: ReadonlyMap<string, Sight>,
  ) {}

  /** For these entries. `source` reads all records, and is not asked where no rule compares anything. */
  static async read(source: EntrySource, rights: Rights, entries: Iterable<EntryOwner>): Promise<SeenEntries> {
    const asked = new Map<Resource, Asked>();
    for (const entry of entries) {
      const { resource, id, documentId } = deciding(entry);
      const rule = rights.rule(resource, 'read');
      const columns = [...new Set(columnsIn(rule))];
      if (columns.length === 0) continue;
      const known = asked.get(resource) ?? { resource, rule, columns, ids: new Set(), documentIds: new Set() };
      known.ids.add(id);
      known.documentIds.add(documentId);
      asked.set(resource, known);
    }
    return new SeenEntries(rights, asked.size > 0 ? await readSights(source, [...asked.values()]) : new Map());
  }

  /** The same for one document. */
  static readOf(source: EntrySource, rights: Rights, resource: Resource, id: string): Promise<SeenEntries> {
    return SeenEntries.read(source, rights, [{ resource, id, document: { resource, id } }]);
  }

  /**
   * Whether the caller may know of the entry: it sees the record now, and saw it after the change. A line that was deleted when
   * its document came into sight was never seen.
   */
  isSeen(entry: EntryPlace): boolean {
    const wasSeen = this.wasSeenAfter(entry) && (entry.action !== 'delete' || this.wasSeenBefore(entry));
    return wasSeen && this.#sightOf(entry).isNow;
  }

  wasSeenAfter(entry: EntryPlace): boolean {
    return isSeenIn(this.#sightOf(entry).spans, stepOf(entry));
  }

  wasSeenBefore(entry: EntryPlace): boolean {
    return isSeenIn(this.#sightOf(entry).spans, stepOf(entry) - 1);
  }

  /** What the caller may know of the entry; undefined if nothing. */
  shown(entry: StoredEntry): StoredEntry | undefined {
    if (!this.isSeen(entry)) return undefined;
    const hidden = this.rights.hidden(entry.resource);
    const changes = hidden.size > 0 ? entry.changes.filter(({ field }) => !hidden.has(field)) : entry.changes;
    if (entry.action === 'create' || this.wasSeenBefore(entry)) return { ...entry, changes };
    // With this version the document has come into sight, as if it were new: what it was before stays out of sight.
    return { ...entry, changes: changes.flatMap(withoutBefore) };
  }

  /** Whether the caller sees a document now; of one that is gone, what it was in the end. */
  isSeenNow(resource: Resource, id: string): boolean {
    return this.#sight(resource, id).isNow;
  }

  sawVersion(resource: Resource, id: string, version: number): boolean {
    const { isNow, spans } = this.#sight(resource, id);
    return isNow && isSeenIn(spans, version);
  }

  /**
   * The versions that the caller may know of, none for a document that it does not see now; and whether these are all that are
   * known.
   */
  versionsOf(resource: Resource, id: string): { ranges: VersionRanges; isAll: boolean } {
    const { isNow, spans } = this.#sight(resource, id);
    const ranges: [from: number, to: number][] = [];
    let to = largestVersion;
    for (const { from: begun, isSeen } of isNow ? spans : []) {
      // No version is earlier than the first.
      const from = Math.max(begun, 0);
      const last = ranges.at(-1);
      if (isSeen && last?.[0] === to + 1) last[0] = from;
      else if (isSeen && from <= to) ranges.push([from, to]);
      to = Math.min(to, from - 1);
    }
    return { ranges: ranges.slice(0, mostRanges), isAll: isNow && spans.every(({ isSeen }) => isSeen) };
  }

  #sightOf(entry: EntryPlace): Sight {
    const { resource, id } = deciding(entry);
    return this.#sight(resource, id);
  }

  #sight(resource: Resource, id: string): Sight {
    const known = this.sights.get(`${resource.model} ${id}`);
    if (known) return known;
    const rule = this.rights.rule(resource, 'read');
    return columnsIn(rule).length === 0 && matches(rule, {}) ? always : never;
  }
}

/** From which version to which, the newest first. */
export type VersionRanges = readonly (readonly [from: number, to: number])[];

const largestVersion = 2 ** 31 - 1;
/** Older versions of a document that has come and gone more often are not shown. */
const mostRanges = 100;

const withoutBefore = ({ field, after }: FieldChange): FieldChange[] =>
  after === null ? [] : [{ field, before: null, after }];

/** The record whose rule decides about an entry: the document, or the line itself where its document is not held here. */
function deciding({ resource, id, document }: EntryOwner) {
  return { resource: document.resource ?? resource, id: document.resource ? document.id : id, documentId: document.id };
}

/** The version that an entry has made of the record that decides; a deletion makes one, too. */
function stepOf({ document, revision, version, action }: EntryPlace): number {
  if (document.resource) return revision;
  return action === 'delete' ? version + 1 : version;
}

/** When a caller sees a record. */
interface Sight {
  isNow: boolean;
  /** The versions from which on it stayed seen or unseen, the newest first. */
  spans: readonly Span[];
}

interface Span {
  from: number;
  isSeen: boolean;
}

const always: Sight = { isNow: true, spans: [{ from: Number.NEGATIVE_INFINITY, isSeen: true }] };
const never: Sight = { isNow: false, spans: [] };

const isSeenIn = (spans: readonly Span[], step: number): boolean =>
  spans.find(({ from }) => from <= step)?.isSeen ?? false;

// What the columns that rules compare were in each version.

/** The records of one type. */
interface Asked {
  resource: Resource;
  rule: Condition;
  columns: readonly string[];
  ids: Set<string>;
  documentIds: Set<string>;
}

/** A record as it is now, or one of its entries in the journal, with the values of the columns as the row has them. */
interface FoundRow {
  entry: number;
  step: number;
  /** Undefined for the record as it is now. */
  action: ChangeAction | undefined;
  author: string | null;
  /** Whether the journal does not have the version before. */
  isFirst: boolean;
  /** What the columns are now, or were before the change, as far as it has changed them. */
  values: Readonly<Record<string, unknown>>;
}

async function readSights(source: EntrySource, asked: readonly Asked[]): Promise<ReadonlyMap<string, Sight>> {
  const width = Math.max(...asked.map(({ columns }) => columns.length));
  const selects = asked.flatMap((each) => [
    presentSql(source.provider, each, width),
    pastSql(source.provider, each, width),
  ]);
  const values = asked.flatMap(({ ids, documentIds }) => [[...ids], [...documentIds], [...ids]]);
  const found = await rowsOf(
    source,
    selects.join(' UNION ALL '),
    values.map((each) => JSON.stringify(each)),
  );
  const rows = new Map<string, FoundRow[]>();
  const byModel = new Map<string, Asked>(asked.map((each) => [each.resource.model, each]));
  for (const row of found) {
    const key = `${row[0]} ${row[1]}`;
    const its = rows.get(key) ?? [];
    if (its.push(foundRow(row, byModel.get(String(row[0]))?.columns ?? [])) === 1) rows.set(key, its);
  }
  return new Map(
    asked.flatMap(({ resource: { model }, rule, ids }) =>
      Array.from(ids, (id) => [`${model} ${id}`, sightIn(rule, rows.get(`${model} ${id}`) ?? [])] as const),
    ),
  );
}

/** Each in one statement with the others, so that they show one moment. */
function presentSql(provider: Provider, { resource, columns }: Asked, width: number): string {
  const values = Array.from({ length: width }, (_, place) => {
    const name = columns[place];
    const { type = 'String' } = resource.fields.find((field) => field.name === name) ?? {};
    return `${name ? fieldJson(provider, { type, secret: false }, `"${name}"`) : 'NULL'} AS "v${place}"`;
  });
  // Prisma, which reads inside a transaction, tells columns apart by their names.
  return `SELECT '${resource.model}' AS "model", "id", 0 AS "entry", "version", NULL AS "action", NULL AS "keyId", 0 AS "isFirst", ${values.join(', ')}
    FROM "${resource.model}" WHERE "id" ${placeholders[provider].among('?')}`;
}

/**
 * The record's own entries that changed one of the columns, made or deleted it, or stand at a gap. Those of documents are found
 * by the index of revisions.
 */
function pastSql(provider: Provider, { resource, columns }: Asked, width: number): string {
  const { among } = placeholders[provider];
  const isLine = resource.kind === 'child';
  const changed = columns.map((name) => changeSql(provider, name));
  const neighbour = (step: string) => `EXISTS (SELECT 1 FROM "JournalEntry" AS other
    WHERE other."documentId" = own."documentId" AND other."recordId" = own."recordId"
      AND ${isLine ? `${stepSql('other')} = ${stepSql('own')}` : 'other."revision" = own."revision"'} ${step})`;
  const values = Array.from({ length: width }, (_, place) => changed[place] ?? 'NULL');
  return `SELECT own."model", own."recordId", own."entry", ${stepSql('own')}, own."action", own."keyId",
      CASE WHEN ${neighbour('- 1')} THEN 0 ELSE 1 END, ${values.join(', ')}
    FROM "JournalEntry" AS own WHERE own."documentId" ${among('?')} AND own."recordId" ${among('?')} AND own."model" = '${resource.model}'
      AND (own."action" IN ('create', 'delete') OR ${changed.map((each) => `${each} IS NOT NULL`).join(' OR ')}
        OR NOT ${neighbour('- 1')} OR NOT ${neighbour('+ 1')})`;
}

const stepSql = (alias: string) => `(${alias}."version" + CASE ${alias}."action" WHEN 'delete' THEN 1 ELSE 0 END)`;

/** The JSON of what an entry has of a field, as a text; null where it has nothing. */
const changeSql = (provider: Provider, name: string): string =>
  provider === 'sqlite' ? `(own."changes" -> '$.${name}')` : `(own."changes"::json -> '${name}')::text`;

function foundRow(
  [, , entry, step, action, keyId, isFirst, ...texts]: Rows[number],
  columns: readonly string[],
): FoundRow {
  const values = columns.flatMap((name, place) => {
    const text = texts[place];
    const value: unknown = text == null ? undefined : JSON.parse(String(text));
    if (action === null || action === 'delete') return [[name, value ?? null] as const];
    // Of a creation it does not matter what was before.
    return Array.isArray(value) ? [[name, value[0] ?? null] as const] : [];
  });
  return {
    entry: Number(entry),
    step: Number(step),
    action: changeActions.find((each) => each === action),
    author: namedAuthor({ keyId: String(keyId) }),
    isFirst: Number(isFirst) === 1,
    values: Object.fromEntries(values),
  };
}

/** Goes back from what the record is now, or was in the end, to the beginning or to a gap. */
function sightIn(rule: Condition, found: readonly FoundRow[]): Sight {
  const present = found.find(({ action }) => action === undefined);
  const entries = found.filter(({ action }) => action).sort((one, other) => other.entry - one.entry);
  const [newest] = entries;
  const isWhole = present ? newest?.step === present.step : newest?.action === 'delete';
  let state = present?.values ?? (isWhole ? newest?.values : undefined);
  if (!state) return never;
  // The entry of a deletion does not say who had created the record.
  if (!present && 'createdBy' in state) {
    const created = entries.find(({ action }) => action === 'create');
    state = { ...state, createdBy: created?.author ?? null };
  }
  const isNow = matches(rule, state);
  const spans: Span[] = present ? [{ from: present.step, isSeen: isNow }] : [];
  // A line that was imported again has a higher version than it had before it was deleted.
  for (const { action, step, isFirst, values } of isWhole ? entries : []) {
    if (action !== 'delete') {
      spans.push({ from: step, isSeen: matches(rule, state) });
      state = { ...state, ...values };
    }
    if (action === 'create') break;
    if (isFirst) {
      spans.push({ from: step - 1, isSeen: matches(rule, state) });
      break;
    }
  }
  return { isNow, spans };
}
