/** All streams of this process: who follows what, and when a stream ends. */

import {
  type DocumentNode,
  type FieldNode,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  print,
  visit,
} from 'graphql';
import type { Identity } from '../../change/context.js';
import type { Journal } from '../../change/journal/journal.js';
import { RequestLog, type WrittenLog } from '../../common/log.js';
import type { Execute } from '../../gateway/execution/executor.js';
import type { StreamRequest, Streams } from '../../gateway/http/answer/event-stream.js';
import type { Places } from '../../gateway/limits/stream-places.js';
import type { Subscription } from '../../graphql/operation/admission.js';
import { watchable } from '../../graphql/operation/stream-root.js';
import { errors } from '../../model/errors/errors.js';
import type { GatewayError } from '../../model/errors/gateway-error.js';
import type { Resource } from '../../model/resource.js';
import { eventForms } from './event-form.js';
import { Follower, type Subscriber } from './follower.js';
import { createStreamReads, type ReadForStream, type Work } from './read-record.js';
import { RecentEntries } from './recent-entries.js';
import { requireStreamScopes, StreamEvents } from './stream-events.js';
import {
  createStreamOpening,
  type OpenStream,
  type StreamUpkeep,
  type StreamUpkeepParts,
  upkeepOf,
} from './stream-upkeep.js';

export interface HubParts extends Omit<StreamUpkeepParts, 'close' | 'log'> {
  log: WrittenLog;
  schema: GraphQLSchema;
  /** Without it, or where it is not kept, no stream begins. */
  journal: Journal | undefined;
  execute: Execute;
  work: Work;
  places: Places;
}

const noJournal = 'There are no streams: this gateway keeps no journal of changes (JOURNAL=false).';

export class Hub implements Streams {
  readonly #parts: HubParts;
  readonly #resources: readonly Resource[];
  readonly #entries: RecentEntries;
  readonly #read: ReadForStream;
  readonly #upkeep: StreamUpkeep;
  readonly #open: OpenStream;
  readonly #followers = new Followers();
  readonly #members = new Set<Subscriber>();
  #begun = 0;
  #isClosed = false;

  constructor(parts: HubParts) {
    this.#parts = parts;
    this.#resources = watchable(parts.schema);
    this.#read = createStreamReads(parts.execute, parts.work);
    this.#entries = new RecentEntries(parts.log, () => this.#followers.wake());
    this.#upkeep = upkeepOf(this.#members, { ...parts, close: (member, refusal) => this.#close(member, refusal) });
    const endAll = () => {
      this.#upkeep.stop();
      this.#entries.close();
    };
    this.#open = createStreamOpening({ ...parts, entries: this.#entries, endAll });
  }

  async subscribe({ subscription, arrival, identity, format, after, begin, refusal }: StreamRequest): Promise<void> {
    const journal = this.requireAllowed(subscription, identity);
    if (this.#isClosed) throw errors.unavailable('busy');
    requireSmall(subscription);
    const { requestId } = arrival;
    const { position, notice, leave } = await this.#open(arrival, journal, after);
    try {
      if (this.#isClosed) throw errors.unavailable('busy');
      const follower = this.#followerOf({ subscription, arrival, identity, format }, position);
      const receiver = begin();
      const beat = this.#begun++;
      const member: Subscriber = { receiver, follower, start: position, identity, requestId, beat, refusal, leave };
      this.#members.add(member);
      follower.members.add(member);
      receiver.whenGone(() => this.#remove(member));
      receiver.open(follower.events.notice(position, notice));
      this.#upkeep.start();
      follower.wake();
    } catch (error) {
      leave();
      throw error;
    }
  }

  /** Returns what streams follow. @throws FORBIDDEN, and OPERATION_RESOLUTION_FAILURE where there is nothing to follow */
  requireAllowed(subscription: Subscription, identity: Identity): Journal {
    requireStreamScopes(this.#resources, subscription, identity);
    const { journal } = this.#parts;
    if (!journal?.isKept) throw errors.operationUnknown(noJournal);
    return journal;
  }

  get size(): number {
    return this.#members.size;
  }

  close(): void {
    this.#isClosed = true;
    for (const member of [...this.#members]) this.#close(member);
  }

  #followerOf(
    { subscription, arrival, identity, format }: Omit<StreamRequest, 'after' | 'begin'>,
    position: number,
  ): Follower {
    const key = `${format.name} ${streamKey(subscription, identity)}`;
    return this.#followers.of(key, position, (onProgress) => {
      const forms = eventForms(this.#parts.schema, subscription);
      const { database, changes, requestId } = arrival;
      // Not the log of the first subscriber, which may leave before the others.
      const log = new RequestLog(this.#parts.log, requestId);
      const context = { database, changes, identity, requestId, log };
      const events = new StreamEvents({ format, forms, subscription, context, read: this.#read });
      return new Follower({
        key,
        events,
        position,
        entries: this.#entries,
        close: (member) => this.#close(member),
        onProgress,
      });
    });
  }

  #close(member: Subscriber, refusal?: GatewayError): void {
    const { follower, receiver, requestId } = member;
    if (!this.#members.has(member)) return;
    this.#remove(member);
    const frames = refusal ? [] : [follower.events.notice(follower.positionOf(member), 'CLOSING')];
    receiver.end(Buffer.concat([...frames, follower.events.format.end(requestId, refusal)]));
  }

  #remove(member: Subscriber): void {
    if (!this.#members.delete(member)) return;
    member.follower.members.delete(member);
    if (member.follower.members.size === 0) this.#followers.forget(member.follower);
    member.leave();
  }
}

// A stream keeps its operation and variables for as long as it lasts, so they have to be small.

/** Characters of the operation and of its variables as JSON. */
const largestStream = 20_000;

/** @throws BAD_USER_INPUT */
function requireSmall({ document, root }: Subscription): void {
  const size = (document.loc?.source.body.length ?? 0) + JSON.stringify(root.variables).length;
  if (size <= largestStream) return;
  const message = `may be ${largestStream} characters long at most in a stream, with the operation; these are ${size}`;
  throw errors.badInput([{ path: ['variables'], code: 'parameter_invalid', message }]);
}

// The followers of all kinds of streams. Subscribers of one kind share a follower if they are at the same position.

/** The most entries by which a follower may be behind and still take in somebody who is not. */
const nearby = 100;

class Followers {
  readonly #byKey = new Map<string, Set<Follower>>();

  /** A follower for a subscriber that has everything up to `position`: an existing one, or one that `make` creates. */
  of(key: string, position: number, make: (onProgress: () => void) => Follower): Follower {
    const same = this.#byKey.get(key) ?? new Set();
    for (const follower of same) if (follower.takes(position, nearby)) return follower;
    const follower = make(() => this.#join(follower, same));
    same.add(follower);
    this.#byKey.set(key, same);
    return follower;
  }

  wake(): void {
    for (const same of this.#byKey.values()) for (const follower of same) follower.wake();
  }

  /** Called when the last member has left. */
  forget(follower: Follower): void {
    const same = this.#byKey.get(follower.key);
    same?.delete(follower);
    if (same?.size === 0) this.#byKey.delete(follower.key);
  }

  /** Once a follower has caught up with another of the same kind, they go on as one. */
  #join(follower: Follower, same: ReadonlySet<Follower>): void {
    for (const other of same) {
      if (other === follower || !other.takes(follower.position, nearby)) continue;
      for (const member of follower.members) {
        member.start = follower.positionOf(member);
        member.follower = other;
        other.members.add(member);
      }
      follower.members.clear();
      this.forget(follower);
      other.wake();
      return;
    }
  }
}

// When two subscriptions can share their events: the same selection, the same values that matter, the same access.

/** Equal for subscriptions that get the same events, wherever they begin. */
function streamKey({ document, definition, root }: Subscription, { scopes }: Pick<Identity, 'scopes'>): string {
  const { text, names } = shapeOf(document, definition, root.nodes);
  const variables = names.map((name) => (name in root.variables ? [root.variables[name]] : []));
  return JSON.stringify([root.key, text, variables, scopes.toSorted()]);
}

interface Shape {
  /** The text without the argument that says where the stream begins. */
  text: string;
  /** The variables it uses. */
  names: readonly string[];
}

const known = new WeakMap<OperationDefinitionNode, Shape>();

function shapeOf(
  { definitions }: DocumentNode,
  definition: OperationDefinitionNode,
  roots: readonly FieldNode[],
): Shape {
  const shape = known.get(definition) ?? withoutBeginning(definitions, definition, new Set(roots));
  known.set(definition, shape);
  return shape;
}

function withoutBeginning(
  definitions: DocumentNode['definitions'],
  definition: OperationDefinitionNode,
  roots: ReadonlySet<FieldNode>,
): Shape {
  const fragments = definitions.filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION);
  const names = new Set<string>();
  const shape = visit(
    { kind: Kind.DOCUMENT, definitions: [{ ...definition, name: undefined, variableDefinitions: [] }, ...fragments] },
    {
      Field: (field) =>
        roots.has(field)
          ? { ...field, arguments: field.arguments?.filter(({ name }) => name.value !== 'after') }
          : undefined,
      Variable: ({ name }) => {
        names.add(name.value);
      },
    },
  );
  return { text: print(shape), names: [...names].sort() };
}
