/**
 * One statement on PostgreSQL that both writes and answers, where it saves round trips: for new records with their lines, a
 * change of one record, and a change of one line with the version of its document. SQLite runs in this process and would
 * gain nothing.
 */

import { oncePer, WeighedCache } from '../../common/kept.js';
import type { Statement } from '../../common/work.js';
import { quoted, StatementBuilder } from '../../database/statement-builder.js';
import { scopeOf } from '../../model/resource.js';
import { createdEntries, selectCreated } from '../entries/created-entries.js';
import type { Journaled } from '../entries/entry-sql.js';
import { updateEntries, writingEntries } from '../entries/postgresql-entries.js';
import { journalIsOff } from '../journal/journal-state.js';
import { type Insert, type Plan, type RowUpdate, raising, type Stamp, type Update } from '../plan.js';
import { conditionsOfOne, isUnchanged } from './conditions.js';
import { insertedColumns, insertText } from './insert.js';
import { updateOne } from './update.js';

/**
 * The statement; it returns no row if it changes nothing. Undefined if the plan needs several statements. The written rows
 * replace their tables in the SELECT, because the tables do not contain them until the statement ends.
 */
export function singleStatement(
  plan: Plan,
  answer: AnswerSql,
  stamp: Stamp,
  given: Journaled | 'if on' | undefined,
): Statement | undefined {
  const [journaled, isGuarded] = given === 'if on' ? [undefined, true] : [given, false];
  const text = new StatementBuilder('postgresql');
  const changes = changedRows(plan, answer);
  const inserts = plan.steps.filter((step): step is Insert => step.kind === 'insert' && !step.behind);
  if (!changes && (inserts.length === 0 || inserts.length < plan.steps.length || joinsMany(inserts))) return undefined;
  const guards = changes ? 1 : inserts.length;
  const guard = isGuarded ? journalIsOff[guards > 1 ? 'condition' : 'once'] : undefined;
  const make = () => {
    const shared = guard === journalIsOff.condition ? [journalIsOff.query] : [];
    const written = changes
      ? changing(text, changes, stamp, journaled, guard)
      : creating(text, inserts, journaled, guard);
    return `WITH ${[...shared, ...written, ...(answer.queries ?? [])].join(', ')} ${answer.select}`;
  };
  const isKept = changes && !journaled;
  return { isWhole: true, ...text.statement(isKept ? keptText(text, answer, changes, stamp, guard, make) : make()) };
}

/** Whether the answer would look for the lines of many new records among many: what a statement writes has no index. */
function joinsMany(inserts: readonly Insert[]): boolean {
  const [records = 0, ...lines] = inserts.map(({ rows }) => rows.length);
  return lines.some((count) => records * count > mostCompared);
}

const mostCompared = 20_000;

function creating(
  text: StatementBuilder,
  inserts: readonly Insert[],
  journaled: Journaled | undefined,
  guard: string | undefined,
): string[] {
  const parts = inserts.map((step) => {
    const write = insertText(text, step, insertedColumns(step), guard);
    return `"${step.resource.model}" AS (${write} RETURNING *)`;
  });
  if (!journaled) return parts;
  return [...parts, writingEntries(selectCreated(text, journaled, createdEntries(inserts, journaled)))];
}

function changing(
  text: StatementBuilder,
  changes: readonly ChangedRow[],
  stamp: Stamp,
  journaled: Journaled | undefined,
  guard: string | undefined,
): string[] {
  const entries: string[] = [];
  const parts = changes.flatMap(({ update, row, raisedBy, condition, unread }, place) => {
    const table = quoted(update.resource.model);
    const isRaised = raisedBy && `EXISTS (SELECT FROM ${raisedBy})`;
    const id = unread && '(SELECT "document" FROM "line")';
    const own =
      journaled &&
      updateEntries(text, raisedBy ? { ...journaled, raisedBy } : journaled, update, table, {
        found: id,
        condition: isRaised,
      });
    const conditions = [place === 0 ? guard : undefined, isRaised, own?.further.condition, condition];
    const further = { ...own?.further, id, condition: conditions.filter((each) => each !== undefined).join(' AND ') };
    if (own) entries.push(own.entries);
    const write = `${table} AS (${updateOne(text, update, row, stamp, further)} RETURNING ${table}.*)`;
    const queries = own ? [own.before, write] : [write];
    return unread ? [`"line" AS (${documentToRaise(text, unread)})`, ...queries] : queries;
  });
  return journaled ? [...parts, writingEntries(...entries)] : parts;
}

// The texts of statements that change one row, kept by what they depend on besides their values: making one, and
// finding its prepared statement by it, took a tenth of the gateway's time for a change of a line.

/**
 * Characters of all texts together. They are not counted per operation, because clients decide how many operations
 * there are, how long the statement of each becomes, and which fields each change sets.
 */
const mostCharacters = 4_000_000;

const kept = new WeighedCache<string>(mostCharacters, (shape, text) => shape.length + text.length);

/** A number for each answer, that is, for each operation of a client. */
const numberOf = oncePer((_answer: AnswerSql) => ++numbersGiven);
let numbersGiven = 0;

/**
 * The text that `make` makes with `text`, or the same made before for rows of this shape. All values are bound before,
 * in an order that follows from the shape; a text that binds more is not kept.
 */
function keptText(
  text: StatementBuilder,
  answer: AnswerSql,
  changes: readonly ChangedRow[],
  stamp: Stamp,
  guard: string | undefined,
  make: () => string,
): string {
  const shapes = changes.map((change) => bindShape(text, change, stamp));
  if (shapes.includes(undefined)) return make();
  const shape = `${numberOf(answer)} ${shapes.join(' ')} ${guard}`;
  const known = kept.get(shape);
  if (known !== undefined) return known;
  const bound = text.values.length;
  const made = make();
  if (text.values.length === bound) kept.set(shape, made);
  return made;
}

/**
 * Binds the values of a row, and returns its shape: everything else that its statement depends on. Undefined if it
 * depends on more.
 */
function bindShape(text: StatementBuilder, { update, row, raisedBy, condition, unread }: ChangedRow, stamp: Stamp) {
  const { raises, locked, resource } = update;
  const { model, timestamps } = resource;
  const { id, values, version, statuses, becomes, ...others } = row;
  // A new property of `RowUpdate` on which the statement depends must become part of the shape, too.
  others satisfies Record<string, never>;
  if (statuses || becomes) return undefined;
  const bind = (name: string, value: unknown) => text.bindColumn(model, name, value);
  if (!unread) bind('id', id);
  if (version != null) bind('version', version);
  if (timestamps) {
    bind('updatedAt', stamp.at);
    bind('updatedBy', stamp.by);
  }
  const names = Object.keys(values);
  for (const name of names) bind(name, values[name]);
  const flags = `${version != null}${locked}${raises}${raisedBy}${condition}${unread !== undefined}`;
  return `${model} ${names.join()} ${flags}`;
}

/** The only row that a plan changes, with its document if it is a line, for a statement that writes and answers. */
interface ChangedRow {
  update: Update;
  row: RowUpdate;
  /** The named query that raises the row's document; it must have done so. */
  raisedBy?: string;
  condition?: string;
  /** The change of the line whose document the row is, where neither has been read. */
  unread?: Pick<ChangedRow, 'update' | 'row'>;
}

/** The only row that a plan changes, behind its document if it is a line; undefined for any other plan. */
function changedRows(
  { steps: [first, second, ...others] }: Plan,
  { showsMore, tables }: AnswerSql,
): readonly ChangedRow[] | undefined {
  const [update, raise] = first?.kind === 'raise' ? [second, first] : [first, undefined];
  if (update?.kind !== 'update' || others.length > 0 || (second && !raise)) return undefined;
  const [row, ...more] = update.rows;
  if (!row || more.length > 0 || Object.keys(row.values).length === 0) return undefined;
  const { model } = update.resource;
  // An update that waited for another writer sees its own record in the new state, but all other rows as they were
  // before. The answer would mix rows from two snapshots, so nothing is changed, and the update is made with several
  // statements instead.
  if (!raise) return [{ update, row, ...(showsMore ? { condition: isUnchanged(model) } : {}) }];
  const { id, resource, version } = raise;
  // An answer that reads the table of the lines would show them all, the changed one too, as they were before.
  if (!resource || tables.has(model)) return undefined;
  if (id !== undefined && version == null) return undefined;
  // The document is locked first, as by everyone who changes its lines. It must still have the version at which the
  // line was read or, if the line was not read, the version that the document had when the statement began.
  const raised = { id: id ?? '', values: {}, version };
  const unread = id === undefined ? { unread: { update, row }, condition: isUnchanged(resource.model) } : {};
  return [
    { update: raising(resource, raised, raise), row: raised, ...unread },
    { update, row, raisedBy: quoted(resource.model) },
  ];
}

/** The id of the document of a line that is to be changed and would get another value. */
function documentToRaise(text: StatementBuilder, { update, row }: Pick<ChangedRow, 'update' | 'row'>): string {
  const { resource } = update;
  const conditions = conditionsOfOne(text, update, row).join(' AND ');
  return `SELECT "${scopeOf(resource)}" AS "document" FROM "${resource.model}" WHERE ${conditions}`;
}

/** How written records are answered. */
export interface AnswerSql {
  /** Reads the answer from the written rows, under the name of their table. */
  select: string;
  /** Named queries that `select` reads; they come behind those that write. */
  queries?: readonly string[];
  /** Whether it also reads rows of other tables. */
  showsMore: boolean;
  /** The tables whose rows it reads in addition to the written records. */
  tables: ReadonlySet<string>;
}
