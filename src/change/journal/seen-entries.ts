/**
 * Which entries of the journal a caller with rights may know of: those of records that it sees now, and that it saw in the
 * version which the entry has made. What a record was then is what it is now, with later changes undone; of one that is gone,
 * what it was in the end. Where the journal has a gap, it is not known what a record was before, so that is not shown.
 */
import { groupedBy } from '../../common/grouped.js';
import type { SeenDatabase } from '../../database/open-database.js';
import { placeholders } from '../../database/statement-builder.js';
import type { Resource } from '../../model/resource.js';
import type { Condition } from '../../query/condition.js';
import { columnsIn, matches } from '../../query/matches.js';
import type { Rights } from '../../query/rights.js';
import { fieldJson } from '../entries/entry-sql.js';
import { namedAuthor } from '../values.js';
import type { FieldChange, JournalEntry, StoredEntry } from './entry.js';
import { type EntrySource, rowsOf } from './journal-state.js';

/** What of an entry says which record it is of, and which change of it. */
export type EntryPlace = Pick<JournalEntry, 'resource' | 'id' | 'document' | 'action' | 'revision' | 'version'>;

/** The place of the entry that has made a version of a document; from 0 on there are all. */
export const versionPlace = (resource: Resource, id: string, version = 0): EntryPlace => ({
  ...{ resource, id, document: { resource, id } },
  ...{ action: 'update', revision: version, version },
});

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
  static async read(source: EntrySource, rights: Rights, entries: Iterable<EntryPlace>): Promise<SeenEntries> {
    const sights = new Map<string, Sight>();
    for (const [resource, its] of groupedBy(entries, (entry) => deciding(entry).resource)) {
      const rule = rights.rule(resource, 'read');
      const columns = [...new Set(columnsIn(rule))];
      const found = columns.length > 0 ? await foundRows(source, resource, columns, its) : undefined;
      for (const [id, rows] of found ?? []) sights.set(id, sightIn(rule, statesIn(rows)));
      if (!found && matches(rule, {})) for (const entry of its) sights.set(deciding(entry).id, always);
    }
    return new SeenEntries(rights, sights);
  }

  /** When the caller sees the record that decides about an entry: the document, if that is held here. */
  sightOf(entry: EntryPlace): Sight {
    return this.sights.get(deciding(entry).id) ?? never;
  }

  /**
   * What an entry has done for the caller, who sees its record now: left it in sight, or brought it there. Or else it has taken
   * it out of sight. Undefined if the caller may not know of it. A line that was deleted when its document came into sight was
   * never seen.
   */
  effectOf(entry: EntryPlace): 'within' | 'entered' | 'left' | undefined {
    const { isNow, versions } = this.sightOf(entry);
    const { version } = deciding(entry);
    const isSeenIn = (of: number) => versions.some(([from, to]) => from <= of && of <= to);
    const wasSeen = entry.action !== 'create' && isSeenIn(version - 1);
    if (!isSeenIn(version)) return wasSeen ? 'left' : undefined;
    if (!isNow || (entry.action === 'delete' && !wasSeen)) return undefined;
    return wasSeen ? 'within' : 'entered';
  }

  isSeen(entry: EntryPlace): boolean {
    const effect = this.effectOf(entry);
    return effect === 'within' || effect === 'entered';
  }

  /** What the caller may know of the entry; undefined if nothing. */
  shown(entry: StoredEntry): StoredEntry | undefined {
    if (!this.isSeen(entry)) return undefined;
    const hidden = this.rights.hidden(entry.resource);
    const changes = entry.changes.filter(({ field }) => !hidden.has(field));
    if (this.effectOf(entry) === 'within') return { ...entry, changes };
    // The document is shown as if it were new with this version: what it was before stays out of sight.
    return { ...entry, changes: changes.flatMap(withoutBefore) };
  }
}

const withoutBefore = ({ field, after }: FieldChange): FieldChange[] =>
  after === null ? [] : [{ field, before: null, after }];

/**
 * The record whose rule decides about an entry, and the version of it that the entry has made: the document, or the line itself
 * where its document is not held here. A deletion makes a version, too.
 */
function deciding({ resource, id, document, revision, version, action }: EntryPlace) {
  if (document.resource) return { resource: document.resource, id: document.id, version: revision };
  return { resource, id, version: action === 'delete' ? version + 1 : version };
}

/** When a caller sees a record. */
export interface Sight {
  /** Whether it sees it now; of one that is gone, what it was in the end. */
  isNow: boolean;
  /** From which version to which it saw it, the newest first. */
  versions: readonly (readonly [from: number, to: number])[];
  /** Whether it saw all versions that are known. */
  isAll: boolean;
}

const always: Sight = { isNow: true, versions: [[0, 2 ** 31 - 1]], isAll: true };
const never: Sight = { isNow: false, versions: [], isAll: false };
/** Older versions of a record that has come and gone more often are not shown. */
const mostRanges = 100;

/** `states` are those of the record, the newest first. */
function sightIn(rule: Condition, states: Iterable<State>): Sight {
  const versions: [from: number, to: number][] = [];
  let isNow: boolean | undefined;
  let isAll = true;
  for (const { version, values } of states) {
    const isSeen = matches(rule, values);
    isNow ??= isSeen;
    isAll &&= isSeen;
    const last = versions.at(-1);
    if (isSeen && last?.[0] === version + 1) last[0] = version;
    else if (isSeen && versions.length < mostRanges) versions.push([version, version]);
  }
  return { isNow: isNow ?? false, versions, isAll };
}

/** What a record was in a version: its values, in the form that the journal gives them. */
interface State {
  version: number;
  values: Readonly<Record<string, unknown>>;
}

/** A record as it is now, or one of its entries, with what it was in the end, or what the change has replaced. */
interface FoundRow extends State {
  /** Undefined for the record as it is now. */
  action: string | undefined;
}

/**
 * The records of one type that decide about entries, by their ids: as each is now, and its entries as far back as these need
 * them, the newest first. Of their values there are `columns`.
 */
async function foundRows(
  source: EntrySource,
  { model, fields }: Resource,
  columns: readonly string[],
  entries: readonly EntryPlace[],
): Promise<ReadonlyMap<string, FoundRow[]>> {
  const { provider } = source;
  const { among } = placeholders[provider];
  const list = (jsonOf: (name: string) => string) =>
    `'[' || ${columns.map((name) => `coalesce(${jsonOf(name)}, 'null')`).join(" || ',' || ")} || ']'`;
  const present = list((name) => {
    const type = fields.find((field) => field.name === name)?.type ?? 'String';
    return fieldJson(provider, { type, secret: false }, `"${name}"`);
  });
  const changed = list((name) =>
    provider === 'sqlite' ? `("changes" -> '$.${name}')` : `("changes"::json -> '${name}')::text`,
  );
  const asked = entries.reduce((least, { revision }) => Math.min(least, revision), Number.POSITIVE_INFINITY);
  // Who has created a record that is gone, only its first entry says.
  const first = columns.includes('createdBy') ? 0 : asked;
  // One statement, so that all is of one moment. Prisma, which reads inside a transaction, tells columns apart by their names.
  const sql = `SELECT "id", "version", NULL AS "action", NULL AS "keyId", ${present} AS "values", ${Number.MAX_SAFE_INTEGER} AS "entry"
      FROM "${model}" WHERE "id" ${among('?')}
    UNION ALL SELECT "recordId", "version" + CASE "action" WHEN 'delete' THEN 1 ELSE 0 END, "action", "keyId", ${changed}, "entry"
      FROM "JournalEntry" WHERE "documentId" ${among('?')} AND "revision" >= ${first}
        AND "recordId" ${among('?')} AND "model" = '${model}'
    ORDER BY "entry" DESC`;
  const ids = JSON.stringify([...new Set(entries.map((entry) => deciding(entry).id))]);
  const documentIds = JSON.stringify([...new Set(entries.map(({ document }) => document.id))]);
  const byId = new Map<string, FoundRow[]>();
  for (const [id, version, action, keyId, list] of await rowsOf(source, sql, [ids, documentIds, ids])) {
    const given: unknown = JSON.parse(String(list));
    const values = columns.flatMap((name, place) => {
      const value: unknown = Array.isArray(given) ? given[place] : null;
      if (Array.isArray(value)) return [[name, value[0] ?? null] as const];
      return value === null ? [] : [[name, value] as const];
    });
    const row = {
      version: Number(version),
      action: action === null ? undefined : String(action),
      // Before its creation it was nothing; but that entry says who has created it.
      values: action === 'create' ? { createdBy: namedAuthor({ keyId: String(keyId) }) } : Object.fromEntries(values),
    };
    const others = byId.get(String(id)) ?? [];
    if (others.push(row) === 1) byId.set(String(id), others);
  }
  return byId;
}

/** Goes back from what a record is now, or was in the end, to its beginning or to a gap. */
function* statesIn(rows: readonly FoundRow[]): Generator<State> {
  const [newest] = rows;
  // Of a record that is gone without an entry of its deletion, it is not known what it was.
  if (!newest || (newest.action && newest.action !== 'delete')) return;
  let { version, values } = newest;
  if (newest.action) values = { ...rows.find(({ action }) => action === 'create')?.values, ...values };
  yield { version, values };
  for (const { action, ...entry } of rows) {
    if (!action) continue;
    if (entry.version !== version || action === 'create') return;
    version -= 1;
    values = { ...values, ...entry.values };
    yield { version, values };
  }
}
