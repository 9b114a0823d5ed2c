/** The events of one kind of stream: which changes it is about, and their bytes on the wire. */
import type { RequestContext } from '../../change/context.js';
import type { Subscription } from '../../graphql/operation/admission.js';
import { isFilter } from '../../graphql/operation/record-reading.js';
import { byteTurns } from './byte-turns.js';
import { type ChangedRecord, changesOfAll, changesOfType } from './changed-record.js';
import type { Entries } from './entry.js';
import { type EventForms, eventText, type ReadRecord, sizeOf } from './event-form.js';
import { mayHaveLeft } from './leaving.js';
import { parentChanges } from './parent-changes.js';
import type { ReadForStream } from './read-record.js';
import type { StreamFormat } from './receiver.js';
import type { RecordEvent, StreamNotice } from './schema/record-event.js';
import { streamSourceOf } from './schema/subscriptions.js';
import { namedTypes, watches } from './stream-scopes.js';

export interface StreamEventsParts {
  format: StreamFormat;
  forms: EventForms;
  subscription: Subscription;
  /** That of the first subscriber; all have the same access. */
  context: RequestContext;
  read: ReadForStream;
}

/** Changes that are sent together. */
export interface EventBatch {
  /** What is read of records, by their types and ids, since all the changes were made. */
  known: Map<string, Promise<ReadRecord>>;
  /** Whether no subscriber waits for it any more. */
  isOver: boolean;
}

export class StreamEvents {
  readonly #parts: StreamEventsParts;

  constructor(parts: StreamEventsParts) {
    this.#parts = parts;
  }

  get format(): StreamFormat {
    return this.#parts.format;
  }

  /** The types of records and parents whose changes, with those of their lines, matter; undefined for all. */
  get models(): readonly string[] | undefined {
    const { field, args } = this.#parts.subscription.root;
    const { resource } = streamSourceOf(field);
    return resource
      ? [resource, ...resource.parents.map((parent) => parent.resource)].map(({ model }) => model)
      : namedTypes(args);
  }

  notice(position: number, notice: StreamNotice): Buffer {
    const { format, forms } = this.#parts;
    return format.event(position, eventText(forms, { position, notice, fields: [] }), notice === 'OPENED');
  }

  changesIn({ entries }: Entries): ChangedRecord[] {
    if (entries.length === 0) return [];
    const { context, subscription } = this.#parts;
    const { field, args } = subscription.root;
    const { resource } = streamSourceOf(field);
    if (resource) {
      const own = changesOfType(entries, resource, typeof args.id === 'string' ? args.id : undefined);
      const ofParents = isFilter(args.where) ? parentChanges(entries, resource, args.where) : [];
      return [...own, ...ofParents].sort((one, other) => one.position - other.position);
    }
    return changesOfAll(entries, watches(args, context.identity), setOf(args.actions));
  }

  /** Undefined for a change that the subscription is not about. */
  async change(change: ChangedRecord, batch: EventBatch): Promise<Buffer | undefined> {
    const { forms, subscription, context, read } = this.#parts;
    const { where } = subscription.root.args;
    const { position, action, resource, id: recordId, version, fields } = change;
    const event: RecordEvent = { position, action, type: resource.model, recordId, version, fields };
    const { resource: streamed } = streamSourceOf(subscription.root.field);
    // A parent of the streamed lines: finding out which lines enter or leave the filter would take a read of all of
    // them.
    if (streamed && streamed !== resource) return this.#event(event);
    if (action === 'delete') {
      if (isFilter(where) && !mayHaveLeft(where, change)) return undefined;
      return this.#event({ ...event, deletedId: recordId });
    }
    if (!forms(resource.model).hasRecord && !isFilter(where)) return this.#event(event);
    const name = `${resource.model} ${recordId}`;
    const reading = batch.known.get(name) ?? read(subscription, change, context, batch);
    batch.known.set(name, reading);
    const found = await reading;
    const due = byteTurns.take(sizeOf(found));
    if (due) await due;
    if (found.isIn !== false) return this.#event(event, found);
    if (!isFilter(where) || !mayHaveLeft(where, change)) return undefined;
    return this.#event({ ...event, leftId: recordId });
  }

  #event(event: RecordEvent, read?: ReadRecord): Buffer {
    const { format, forms } = this.#parts;
    return format.event(event.position, eventText(forms, event, read));
  }
}

const setOf = (values: unknown): ReadonlySet<string> | undefined =>
  Array.isArray(values) ? new Set(values.map(String)) : undefined;
