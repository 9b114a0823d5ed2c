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
      if (columnsIn(rule).length > 0) await readSights(source, resource, rule, its, sights);
      else if (matches(rule, {})) for (const entry of its) sights.set(deciding(entry).id, always);
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

/** A record as it is now, or one of its entries, with what it was in the end, or what the change has replaced. */
interface FoundRow {
  entry: number;
  id: string;
  version: number;
  /** Undefined for the record as it is now. */
  action: string | undefined;
  /** In the form that the journal gives them. */
  values: Readonly<Record<string, unknown>>;
}

/** Goes back from what a record is now, or was in the end, to its beginning or to a gap. */
class SightOfRecord implements Sight {
  readonly versions: [from: number, to: number][] = [];
  isNow = false;
  isAll = true;
  #version: number | undefined;
  #values: FoundRow['values'] = {};
  #isSeen = false;
  #isKnown = true;

  constructor(private readonly rule: Condition) {}

  /** The newest comes first. `createdBy` is for a record that is gone: only its first entry says who has created it. */
  take({ version, action, values }: FoundRow, createdBy: string | null | undefined): void {
    if (this.#version === undefined) {
      // Of a record that is gone without an entry of its deletion, it is not known what it was.
      this.#isKnown = action === undefined || action === 'delete';
      if (!this.#isKnown) return;
      this.#note(version, action ? { createdBy, ...values } : values);
      this.isNow = this.#isSeen;
      if (!action) return;
    }
    this.#isKnown &&= version === this.#version && action !== 'create';
    if (this.#isKnown) this.#note(version - 1, values);
  }

  #note(version: number, values: FoundRow['values']): void {
    const isFirst = this.#version === undefined;
    this.#version = version;
    if (isFirst || Object.keys(values).length > 0) {
      this.#values = { ...this.#values, ...values };
      this.#isSeen = matches(this.rule, this.#values);
    }
    this.isAll &&= this.#isSeen;
    if (!this.#isSeen) return;
    const last = this.versions.at(-1);
    if (last?.[0] === version + 1) last[0] = version;
    else if (this.versions.length < mostRanges) this.versions.push([version, version]);
  }
}

/**
 * How many entries are read at once: between them others have their turn, and none of them are kept. Of all versions of a
 * record no more are looked at: what is older is not shown to callers with roles.
 */
const atOnce = 20_000;

/** When the caller sees the records of one type that decide about entries, as far back as these need it. */
async function readSights(
  source: EntrySource,
  resource: Resource,
  rule: Condition,
  entries: readonly EntryPlace[],
  sights: Map<string, Sight>,
): Promise<void> {
  const columns = [...new Set(columnsIn(rule))];
  const byId = new Map<string, SightOfRecord>();
  for (let below = Number.MAX_SAFE_INTEGER; ; ) {
    const rows = await foundRows(source, resource, columns, entries, below);
    const gone = columns.includes('createdBy')
      ? rows.filter(({ id, action }) => action === 'delete' && !byId.has(id))
      : [];
    const creators = gone.length > 0 ? await creatorsOf(source, resource, gone) : undefined;
    for (const row of rows) {
      const sight = byId.get(row.id) ?? new SightOfRecord(rule);
      byId.set(row.id, sight);
      sights.set(row.id, sight);
      sight.take(row, creators?.get(row.id));
    }
    const last = rows[atOnce - 1];
    if (!last || entries.every(({ revision }) => revision === 0)) return;
    below = last.entry;
  }
}

/**
 * The records as they are now, and their entries that stand before `below`, the newest first. Of their values there are
 * `columns`.
 */
async function foundRows(
  source: EntrySource,
  { model, fields }: Resource,
  columns: readonly string[],
  entries: readonly EntryPlace[],
  below: number,
): Promise<FoundRow[]> {
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
  /** From which version of its document on the entries of each are needed. */
  const least: Record<string, number> = {};
  for (const { document, revision } of entries) {
    least[document.id] = Math.min(least[document.id] ?? Number.POSITIVE_INFINITY, revision);
  }
  const asked =
    provider === 'sqlite'
      ? `json_each(?) AS "asked" CROSS JOIN "JournalEntry" ON "revision" >= "asked"."value"`
      : `json_each_text(?::json) AS "asked" JOIN "JournalEntry" ON "revision" >= "asked"."value"::int`;
  // One statement, so that all is of one moment. Prisma, which reads inside a transaction, tells columns apart by their names.
  const sql = `SELECT "id", "version", NULL AS "action", ${present} AS "values", ${Number.MAX_SAFE_INTEGER} AS "entry"
      FROM "${model}" WHERE "id" ${among('?')} AND ${Number.MAX_SAFE_INTEGER} <= ${below}
    UNION ALL SELECT "recordId", "version" + CASE "action" WHEN 'delete' THEN 1 ELSE 0 END, "action", ${changed}, "entry"
      FROM ${asked} AND "documentId" = "asked"."key"
      WHERE "recordId" ${among('?')} AND "model" = '${model}' AND "entry" < ${below}
    ORDER BY "entry" DESC LIMIT ${atOnce}`;
  const ids = JSON.stringify([...new Set(entries.map((entry) => deciding(entry).id))]);
  const found = await rowsOf(source, sql, [ids, JSON.stringify(least), ids]);
  return found.map(([id, version, action, list, entry]) => {
    const given: unknown = JSON.parse(String(list));
    const values = columns.flatMap((name, place) => {
      const value: unknown = Array.isArray(given) ? given[place] : null;
      if (Array.isArray(value)) return [[name, value[0] ?? null] as const];
      return value === null ? [] : [[name, value] as const];
    });
    return {
      ...{ entry: Number(entry), id: String(id), version: Number(version) },
      ...{ action: action === null ? undefined : String(action), values: Object.fromEntries(values) },
    };
  });
}

/** Who has created records that are gone. Lines, which follow their document, do not say that of themselves. */
async function creatorsOf(
  source: EntrySource,
  { model }: Resource,
  gone: readonly FoundRow[],
): Promise<ReadonlyMap<string, string | null>> {
  const { among } = placeholders[source.provider];
  const ids = JSON.stringify(gone.map(({ id }) => id));
  const sql = `SELECT "recordId", "keyId" FROM "JournalEntry" WHERE "documentId" ${among('?')} AND "revision" = 1
    AND "recordId" ${among('?')} AND "model" = '${model}' AND "action" = 'create'`;
  const found = await rowsOf(source, sql, [ids, ids]);
  return new Map(found.map(([id, keyId]) => [String(id), namedAuthor({ keyId: String(keyId) })]));
}
