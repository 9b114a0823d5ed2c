/** The events of one kind of stream: which changes it is about, and their bytes on the wire. */

import { type DocumentNode, type FieldNode, Kind, type OperationDefinitionNode, print, visit } from 'graphql';
import type { Identity } from '../../change/context.js';
import type { EntrySource } from '../../change/journal/journal-state.js';
import { SeenEntries } from '../../change/journal/seen-entries.js';
import { oncePer, sharedWhileDone } from '../../common/kept.js';
import type { Rows } from '../../common/work.js';
import type { Database } from '../../database/open-database.js';
import type { OwnRequest, RecordEvent, StreamFormat, StreamNotice } from '../../gateway/call.js';
import type { Subscription } from '../../graphql/operation/admission.js';
import { isFilter } from '../../graphql/operation/record-reading.js';
import { streamSourceOf } from '../../graphql/operation/stream-root.js';
import { errors } from '../../model/errors/errors.js';
import type { Resource } from '../../model/resource.js';
import { mayRead, readableAmong } from '../../model/scopes.js';
import { type Condition, everything, leavesOf } from '../../query/condition.js';
import { conditionOf } from '../../query/filter.js';
import { columnsIn } from '../../query/matches.js';
import { hiddenIn, type Rights } from '../../query/rights.js';
import { type EventForms, eventText, type ReadRecord, sizeOf } from './event-form.js';
import { byteTurns, type ChangedRecord, changesOfType, type ReadForStream } from './read-record.js';
import type { Entries, Entry } from './recent-entries.js';

/**
 * @throws FORBIDDEN if the key may not read a type that the subscription names, or none at all, and for a filter by what is
 * hidden from the caller
 */
export function requireStreamScopes(resources: readonly Resource[], { root }: Subscription, identity: Identity): void {
  const { resource } = streamSourceOf(root.field);
  readableAmong(identity, resources, resource ? [resource.model] : namesOf(root.args.types));
  const { rights } = identity;
  if (!rights || !resource || !isFilter(root.args.where)) return;
  const hidden = hiddenIn(rights, resource, conditionOf(resource, root.args.where));
  if (hidden) throw errors.hiddenComparison(hidden);
}

/** The types or actions that `changes` names; undefined if it names none. */
const namesOf = (given: unknown): string[] | undefined => (Array.isArray(given) ? given.map(String) : undefined);

export interface StreamEventsParts {
  format: StreamFormat;
  forms: EventForms;
  subscription: Subscription;
  /** That of the first subscriber; all have the same access. */
  context: OwnRequest;
  read: ReadForStream;
}

/** What every change tells: a further member of `RecordEvent` is required here, so that it is not forgotten and shown as null. */
type ToldOfAll = Required<Omit<RecordEvent, 'notice' | 'deletedId' | 'leftId'>>;

export interface EventBatch {
  changes: readonly ChangedRecord[];
  /** Which of them members with rights may know of; read for the first. */
  seen: Promise<SeenEntries> | undefined;
  /** What is read of records, by their types and ids, since all the changes were made. */
  known: Map<string, Promise<ReadRecord>>;
  /** Whether no subscriber waits for it any more. */
  isOver: boolean;
}

export class StreamEvents {
  /** The type of the records; undefined for all types. */
  readonly #resource: Resource | undefined;
  readonly #condition: Condition | undefined;

  constructor(private readonly parts: StreamEventsParts) {
    const { field, args } = parts.subscription.root;
    this.#resource = streamSourceOf(field).resource;
    if (this.#resource && isFilter(args.where)) this.#condition = conditionOf(this.#resource, args.where);
  }

  get format(): StreamFormat {
    return this.parts.format;
  }

  /** The types of records and parents whose changes, with those of their lines, matter; undefined for all. */
  get models(): readonly string[] | undefined {
    const resource = this.#resource;
    return resource
      ? [resource, ...resource.parents.map((parent) => parent.resource)].map(({ model }) => model)
      : namesOf(this.parts.subscription.root.args.types);
  }

  notice(position: number, notice: StreamNotice): Buffer {
    return this.#event({ position, notice, fields: [] });
  }

  changesIn({ entries }: Entries): ChangedRecord[] {
    if (entries.length === 0) return [];
    const { context, subscription } = this.parts;
    const { args } = subscription.root;
    const resource = this.#resource;
    if (resource) {
      const own = changesOfType(entries, resource, typeof args.id === 'string' ? args.id : undefined);
      const { rights } = context.identity;
      const ofParents =
        this.#condition || (rights && args.id == null) ? parentChanges(entries, resource, this.#condition, rights) : [];
      return [...own, ...ofParents].sort((one, other) => one.position - other.position);
    }
    // `changes` reports the types that it asks for, or all that the key may read, and each entry by itself.
    const [types, actions] = [namesOf(args.types), namesOf(args.actions)];
    return entries
      .filter(
        ({ resource, action }) =>
          (types?.includes(resource.model) ?? mayRead(context.identity, resource)) &&
          (actions?.includes(action) ?? true),
      )
      .map((entry) => ({ parentId: entry.document.id, own: entry, ...entry }));
  }

  /** Undefined for a change that the subscription is not about. */
  async change(change: ChangedRecord, batch: EventBatch): Promise<Buffer | undefined> {
    const { forms, subscription, context, read } = this.parts;
    const condition = this.#condition;
    const { rights } = context.identity;
    const effect = rights ? (await this.#seenIn(batch, rights)).effectOf(change) : 'within';
    if (!effect) return undefined;
    const { position, action, resource, id: recordId, version } = change;
    const fields = rights ? change.fields.filter((name) => !rights.hidden(resource).has(name)) : change.fields;
    const event: ToldOfAll = { position, action, type: resource.model, recordId, version, fields };
    if (effect === 'left') {
      const own = resource === this.#resource ? change.own : undefined;
      const wasOut = condition && own && didNotMatch(condition, own.before);
      // What the change was is out of sight with the record.
      return wasOut ? undefined : this.#event({ leftId: recordId, ...event, action: 'update', fields: [] });
    }
    // A parent of the streamed lines: finding out which lines enter or leave the filter would take a read of all of
    // them.
    if (this.#resource && this.#resource !== resource) return this.#event(event);
    if (action === 'delete') {
      if (condition && !mayHaveLeft(condition, change)) return undefined;
      return this.#event({ deletedId: recordId, ...event });
    }
    if (!forms(resource.model).hasRecord && !condition) return this.#event(event);
    const name = `${resource.model} ${recordId}`;
    const reading = batch.known.get(name) ?? read(subscription, change, context, batch);
    batch.known.set(name, reading);
    const found = await reading;
    await byteTurns.take(sizeOf(found));
    if (found.isIn !== false) return this.#event(event, found);
    if (!condition || effect === 'entered' || !mayHaveLeft(condition, change)) return undefined;
    return this.#event({ leftId: recordId, ...event });
  }

  #seenIn(batch: EventBatch, rights: Rights): Promise<SeenEntries> {
    batch.seen ??= SeenEntries.read(sharing(this.parts.context.database, batch.changes), rights, batch.changes);
    return batch.seen;
  }

  #event(event: RecordEvent, read?: ReadRecord): Buffer {
    const { format, forms } = this.parts;
    return format.event(event, () => eventText(forms, event, read));
  }
}

/**
 * A database of which streams with different rights, which ask the same of the same changes at the same time, share one read:
 * there may be as many rights as people.
 */
function sharing(database: Database, changes: readonly ChangedRecord[]): EntrySource {
  const { provider, perform, read } = database;
  const place = changes.map(({ position }) => position);
  const shared = sharedReads(database);
  return {
    ...{ provider, perform },
    read: read && ((sql, values) => shared(JSON.stringify([place, sql, values]), async () => read(sql, values))),
  };
}

const sharedReads = oncePer((_database: Database) =>
  sharedWhileDone((_key: string, read: () => Promise<Rows>) => read()),
);

// Changes of parents that may make lines enter or leave a filter, though the lines themselves do not change.

/**
 * One for each changed parent that a filter of lines looks at, or the rule of a member: it touched something that they name.
 * Created and deleted parents are left out, because each of their lines has an entry of its own.
 */
function parentChanges(
  entries: readonly Entry[],
  lines: Resource,
  condition: Condition = everything,
  rights?: Rights,
): ChangedRecord[] {
  const leaves = leavesOf(condition);
  return lines.parents.flatMap(({ field, resource }) => {
    // At any depth, because a filter of lines may lead back to their parent.
    const its = leaves.flatMap((leaf) => (leaf.kind === 'parent' && leaf.to.field === field ? leaf.condition : []));
    const ofRule = rights ? columnsIn(rights.rule(resource, 'read')) : [];
    const names = new Set([...its.flatMap(namesIn), ...ofRule]);
    if (names.size === 0) return [];
    return changesOfType(entries, resource).flatMap((change) => {
      const isTouched = [...touchedBy(change.fields)].some((name) => names.has(name));
      if (!isTouched || !change.own || change.action === 'create' || change.action === 'delete') return [];
      // Its own entry, so that no line has the same position.
      return [{ ...change, position: change.own.position }];
    });
  });
}

/**
 * True if the change may have made the record leave the filter: it touched something that the filter looks at, and no
 * comparison shows that the record did not match before. The earlier state of the record is not read, so a few records
 * are reported as leaving that did not match before; none that leaves is missed.
 */
function mayHaveLeft(condition: Condition, { action, fields, own }: ChangedRecord): boolean {
  if (action === 'create') return false;
  const touched = touchedBy(fields);
  // A deleted record is reported once, whatever the filter looks at.
  const isTouched = action === 'delete' || namesIn(condition).some((name) => touched.has(name));
  return isTouched && !(own && didNotMatch(condition, own.before));
}

/** What a change touches: the changed fields and lists, and what every change raises without naming it. */
const touchedBy = (fields: readonly string[]): ReadonlySet<string> =>
  new Set([...fields, 'version', 'updatedAt', 'updatedBy']);

/** All names of fields, lists and parents in a filter, at any depth. */
const namesIn = (condition: Condition): string[] =>
  leavesOf(condition).map((leaf) => ('to' in leaf ? leaf.to.field : leaf.field));

/** Whether a comparison that must hold did not hold for a value before the change. */
function didNotMatch(condition: Condition, before: ReadonlyMap<string, unknown>): boolean {
  if (condition.kind === 'and') return condition.of.some((part) => didNotMatch(part, before));
  const known = 'field' in condition ? before.get(condition.field) : undefined;
  if (known === undefined) return false;
  if (condition.kind === 'compare') return condition.operator === 'eq' && isOther(known, condition.value);
  return condition.kind === 'in' && !condition.isNot && condition.values.every((each) => isOther(known, each));
}

/** Only values of the same kind are compared: dates and masked secrets have another form in the journal. */
const isOther = (known: unknown, wanted: unknown): boolean =>
  known === null || (typeof known === typeof wanted && known !== wanted);

// When two subscriptions can share their events: the same selection, the same values that matter, the same access.

/** Equal for subscriptions that get the same events, wherever they begin. */
export function streamKey(
  { document, definition, root }: Subscription,
  { scopes, rights }: Pick<Identity, 'scopes' | 'rights'>,
): string {
  const { text, names } = shapeOf(definition, document, root.nodes);
  const variables = names.map((name) => (name in root.variables ? [root.variables[name]] : []));
  return JSON.stringify([root.key, text, variables, scopes.toSorted(), rights?.digest]);
}

/** The text without the argument that says where the stream begins, and the variables that it uses. */
const shapeOf = oncePer(
  (definition: OperationDefinitionNode, { definitions }: DocumentNode, roots: readonly FieldNode[]) => {
    const fragments = definitions.filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION);
    const names = new Set<string>();
    const shape = visit(
      { kind: Kind.DOCUMENT, definitions: [{ ...definition, name: undefined, variableDefinitions: [] }, ...fragments] },
      {
        Field: (field) =>
          roots.includes(field)
            ? { ...field, arguments: field.arguments?.filter(({ name }) => name.value !== 'after') }
            : undefined,
        Variable: ({ name }) => {
          names.add(name.value);
        },
      },
    );
    return { text: print(shape), names: [...names].sort() };
  },
);
