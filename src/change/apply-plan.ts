/**
 * The only function that writes records. Everything that happens with each change is here: rules are asked before, the
 * journal is written with it, features write what goes with it and observers are called after, and nothing is written
 * if nothing differs.
 */
import type { Procedure, Rows, Statement } from '../common/work.js';
import type { Provider } from '../database/migrations/migration-history.js';
import { StatementBuilder } from '../database/statement-builder.js';
import type { Change, Values } from '../model/change.js';
import { errors } from '../model/errors/errors.js';
import { mostCharactersWritten, mostRowsWritten } from '../model/limits.js';
import { type Resource, scopeOf } from '../model/resource.js';
import { ids } from '../query/ids.js';
import { changesOf } from './changes.js';
import type { ChangeContext, Written } from './context.js';
import { documentOf, type Journaled, raisedBy } from './entries/entry-sql.js';
import { sqliteEntries } from './entries/sqlite-entries.js';
import { journalIsOn } from './journal/journal-state.js';
import { limitPlan, mayBeChanged, seenPart } from './limit-plan.js';
import type { Plan, Stamp, Step, Update } from './plan.js';
import { requiredParent } from './refusals.js';
import { askRules, isWatched } from './rules.js';
import { insertStatements } from './statements/insert.js';
import { removalIfOff, remove } from './statements/remove.js';
import { type AnswerSql, singleStatement } from './statements/single-statement.js';
import { forgetParentStatement, lockParentStatement } from './statements/stored-record.js';
import { raiseVersion, runUpdate, type StepContext, shiftStatement } from './statements/update.js';
import { namedAuthor } from './values.js';

export interface AppliedPlan {
  /** The answer's rows, if the writing statement has returned them. */
  answer?: Rows;
  /** The number of moved lines, where the plan does not have it. */
  moved?: number;
}

/**
 * Applies a plan within the transaction of the work. Returns undefined, with nothing written, if the parent of the
 * plan's lines has changed since they were read: then they have to be read again. @throws NOT_FOUND, VERSION_CONFLICT,
 * INVALID_STATE, BAD_USER_INPUT, and QUERY_TOO_COMPLEX if the request writes too much
 */
export function* applyPlan(
  writing: ChangeContext,
  given: Plan,
  folded?: AnswerSql,
): Procedure<AppliedPlan | undefined> {
  const { written, limits } = writing;
  const allowed = limits ? limitPlan(limits.rights, given) : given;
  const plan = writing.handlers.locksSubmitted ? lockDocuments(allowed) : allowed;
  if (isLongOnSqlite(writing.provider, plan)) yield turnForOthers;
  const known = yield* requireRoom(writing, plan);
  const applied = yield* apply(writing, plan, known.rows, folded);
  if (applied) {
    written.rows += known.rows + (applied.moved ?? 0);
    written.characters += known.characters;
  }
  return applied;
}

function* apply(
  writing: ChangeContext,
  plan: Plan,
  rows: number,
  folded?: AnswerSql,
): Procedure<AppliedPlan | undefined> {
  const { observers, writers, journal } = writing.handlers;
  // What features write with a plan.
  const further: (() => Procedure<void>)[] = [];
  for (const writer of writers) {
    const write = yield* writer(writing.provider, plan);
    if (write) further.push(write);
  }
  const befores = yield* askRules(writing, plan);
  const at = ids.now();
  const by = namedAuthor(writing.by);
  const isUnwatched = befores.size === 0 && observers.length === 0 && further.length === 0;
  const ofPlan: Journaled = { by: writing.by, at, document: documentOf(plan.steps), createdAt: new Map(), rows };
  // Where rules decide, several statements find out why nothing was changed.
  const mayBeWhole = isUnwatched && !writing.limits && writing.provider === 'postgresql';
  const whole =
    mayBeWhole && wholeStatement(plan, folded, { at, by }, journal === true ? ofPlan : journal || undefined);
  if (whole) {
    const answer = yield whole;
    if (answer.length > 0) return { answer };
  }
  if (isUnread(plan)) return undefined;
  const isJournaled = journal === 'if on' ? yield* journalIsOn(writing.provider) : journal;
  const journaled = isJournaled ? ofPlan : undefined;
  // On PostgreSQL each statement writes its entries itself.
  const journaling = writing.provider === 'postgresql' ? journaled : undefined;
  if (journaled && !journaling) {
    if (isLongOnSqlite(writing.provider, plan)) yield turnForOthers;
    for (const statement of sqliteEntries(journaled, plan.steps)) yield statement;
  }
  const running: StepContext = {
    provider: writing.provider,
    at,
    by,
    isObserved: observers.length > 0,
    journaled: journaling,
  };
  const changes: Change[] = [];
  let moved = 0;
  for (const step of plan.steps) {
    const isWhole = isUnwatched && plan.steps.length === 1;
    const written = yield* write(running, step, isWhole);
    if (!written) return undefined;
    if (step.kind === 'shift') moved += written.length;
    if (journaling && !journaling.raised) journaling.raised = raisedBy(step, written);
    if (observers.length === 0) continue;
    // Not spread: a document may have more lines than a call takes arguments.
    for (const change of changesOf(step, written, befores.get(step), writing.by, at)) changes.push(change);
  }
  for (const write of further) yield* write();
  if (changes.length > 0) for (const observe of observers) yield* observe(changes);
  return { moved };
}

/** A statement that applies the whole plan on PostgreSQL, if there is one; it returns no row if it changes nothing. */
function wholeStatement(
  plan: Plan,
  folded: AnswerSql | undefined,
  stamp: Stamp,
  journaled: Journaled | 'if on' | undefined,
): Statement | undefined {
  if (folded) return singleStatement(plan, folded, stamp, journaled);
  const [step, ...others] = plan.steps;
  // Otherwise `remove` makes it one statement, with or without an entry.
  const isRemoval = step?.kind === 'remove' && step.rows.length === 1 && others.length === 0;
  return isRemoval && journaled === 'if on' ? removalIfOff(step) : undefined;
}

/** The rows returned by a step's statements; undefined if a parent has changed. */
function* write(running: StepContext, step: Step, isWhole: boolean): Procedure<Rows | undefined> {
  const { provider } = running;
  switch (step.kind) {
    case 'insert': {
      const found: Rows[number][] = [];
      for (const statement of insertStatements(provider, step, running.journaled))
        for (const row of yield statement) found.push(row);
      return found;
    }
    case 'update':
      return yield* runUpdate(running, step);
    case 'remove':
      return yield* remove(running, step, isWhole);
    case 'shift':
      return yield shiftStatement(running, step);
    case 'raise':
      return yield* raiseVersion(running, step);
    case 'lock': {
      if (step.allowed && !(yield* mayBeChanged(provider, step, step.allowed))) return undefined;
      const statement = lockParentStatement(provider, step);
      return !statement || (yield statement).length > 0 ? [] : undefined;
    }
    case 'forget':
      return yield forgetParentStatement(provider, step);
  }
}

// Lets other work run before a long plan is prepared, because on SQLite this happens in the main thread.

/** A statement that does nothing: on SQLite, other work can run between two statements. It begins no transaction. */
const turnForOthers: Statement = { sql: 'SELECT 1', values: [], isChecked: true };

/** Whether preparing a plan takes so long that other work needs a turn. */
const isLongOnSqlite = (provider: Provider, { steps }: Plan): boolean =>
  provider === 'sqlite' && steps.some((step) => 'rows' in step && step.rows.length > manyRows);

/** Rows whose preparation takes some ten milliseconds. */
const manyRows = 1_000;

/**
 * Adds to the plan what LOCK_SUBMITTED asks: a submitted or cancelled document keeps its fields and lines, and is not deleted. Its
 * status may change, and an update without a difference is allowed. Every change of lines raises the version of their
 * document, so the condition is part of that statement.
 */
function lockDocuments(plan: Plan): Plan {
  const changesLines = plan.steps.some((step) => 'resource' in step && step.resource?.kind === 'child');
  const lockStep = (step: Step): Step => {
    if (step.kind !== 'update' && step.kind !== 'remove' && step.kind !== 'raise') return step;
    if (!step.resource?.documentLike) return step;
    return { ...step, locked: step.kind === 'update' && !changesLines ? 'fields' : 'whole' };
  };
  return { ...plan, steps: plan.steps.map(lockStep) };
}

// The change of a line that has not been read, as a plan that only one statement on PostgreSQL can carry out: it finds the
// line and its document, compares the values, and changes both if the line gets another one.

/**
 * Undefined where the line must be read before: on SQLite, which runs in this process, so that a statement less gains
 * nothing; if it moves among the others, or its document may be of any type; and for rules and observers.
 */
export function unreadPlan(writing: ChangeContext, update: Update): Plan | undefined {
  const { resource, rows } = update;
  const document = requiredParent(resource);
  const mayMove = rows.some(({ values }) => 'idx' in values || scopeOf(resource) in values);
  if (writing.provider === 'sqlite' || writing.limits || !document || mayMove || isWatched(writing, update))
    return undefined;
  return {
    steps: [{ kind: 'raise', id: undefined, resource: document.resource }, update],
    inputProblems: [],
  };
}

/** Whether nothing of the plan can be carried out by another statement. */
const isUnread = ({ steps: [first] }: Plan): boolean => first?.kind === 'raise' && first.id === undefined;

// How much the changes of one request write: they occupy SQLite's only writer, and fill the journal.

/** Refuses inputs of new records before rows are made of them. @throws QUERY_TOO_COMPLEX */
export function requireFewRows({ lines }: Resource, inputs: readonly Values[]): void {
  if (inputs.length === 1) return;
  let count = inputs.length;
  for (const input of inputs) {
    for (const { field } of lines) {
      const list = input[field];
      if (Array.isArray(list)) count += list.length;
    }
  }
  if (count > mostRowsWritten) throw errors.tooMuchWritten('rows', mostRowsWritten);
}

/**
 * Refuses a plan with which the request would write too much, and returns how much it writes as far as is known before;
 * how many lines it moves is counted afterwards. A document of any size can be changed by a request of its own. @throws
 * QUERY_TOO_COMPLEX
 */
function* requireRoom(writing: ChangeContext, { steps, isList }: Plan): Procedure<Written> {
  const { written } = writing;
  const mayBeAny = !isList && written.rows === 0;
  let rows = 0;
  let characters = 0;
  for (const step of steps) {
    if ('rows' in step) rows += step.rows.length;
    if (step.kind === 'insert') for (const row of step.rows) characters += charactersIn(row);
    if (step.kind === 'update') for (const { values } of step.rows) characters += charactersIn(values);
    if (mayBeAny || step.kind !== 'remove') continue;
    const ids = step.rows.map(({ id }) => id);
    for (const count of yield* countLines(writing, step.resource, ids)) rows += count;
  }
  if (!mayBeAny && written.rows + rows > mostRowsWritten) throw errors.tooMuchWritten('rows', mostRowsWritten);
  if (written.characters + characters > mostCharactersWritten) {
    throw errors.tooMuchWritten('characters', mostCharactersWritten);
  }
  return { rows, characters };
}

/** The characters of all texts. */
export function charactersIn(values: Values): number {
  let count = 0;
  for (const name in values) {
    const value = values[name];
    if (typeof value === 'string') count += value.length;
  }
  return count;
}

/** The number of lines in each list of the records, which are deleted together with them. */
export function* countLines(writing: ChangeContext, { lines }: Resource, ids: readonly string[]): Procedure<number[]> {
  if (lines.length === 0) return [];
  const text = new StatementBuilder(writing.provider);
  const among = text.among(ids);
  // Within a transaction of Prisma columns of one name would be one.
  const counts = lines.map(
    ({ resource: { model }, reference, field }) =>
      `(SELECT count(*) FROM "${model}" WHERE "${reference}" ${among}) AS "${field}"`,
  );
  const [row] = yield seenPart(writing, text.statement(`SELECT ${counts.join(', ')}`));
  return lines.map((_, place) => Number(row?.[place]));
}
