import { GraphQLError } from 'graphql';
import type { JournalEntry } from '../../../change/journal/journal.js';
import type { EntrySource } from '../../../change/journal/journal-state.js';
import { SeenEntries } from '../../../change/journal/seen-entries.js';
import type { KeyIdentity } from '../../../gateway/access/authenticator.js';
import { fieldsIn } from '../../../gateway/execution/executor.js';
import type { RunningGateway } from '../../../gateway/feature.js';
import { DocumentRefused } from '../../../graphql/operation/trusted-documents.js';
import { knownError } from '../../../graphql/shown-errors/show-error.js';
import { errors } from '../../../model/errors/errors.js';
import { hasScope } from '../../../model/scopes.js';
import type { SigningKeys } from '../signing-keys.js';
import type { Webhook } from '../webhook.js';
import { payloadQuery, readScopeOf } from '../webhook-problems.js';
import { type Delivery, newDelivery } from './delivery-queue.js';

interface PayloadError {
  code: string;
  message: string;
}

/** Reads a record with the scopes of a key: its JSON, or the error that says why it cannot be read. */
export type ReadPayload = (
  query: string,
  id: string,
  identity: KeyIdentity,
) => Promise<{ json: string } | { error: PayloadError }>;

/** After so many failed tries, which take some minutes, the message is sent with the reason in place of the record. */
export const triesToRead = 10;

/** Whether a webhook receives an entry. Lines belong to the type of their document too. */
export function concerns({ types, actions }: Pick<Webhook, 'types' | 'actions'>, entry: JournalEntry): boolean {
  const models = [entry.resource.model, entry.document.resource?.model];
  const isOfType = types.length === 0 || types.some((type) => models.includes(type));
  return isOfType && (actions.length === 0 || actions.includes(entry.action));
}

/** Whether a key may read the type of an entry, and by its roles sees the record. */
export async function mayBeTold(
  identity: Pick<KeyIdentity, 'scopes' | 'rights'>,
  entry: JournalEntry,
  database: EntrySource,
): Promise<boolean> {
  const { scopes, rights } = identity;
  const scope = readScopeOf(entry.resource.model);
  if (scope === undefined || !hasScope({ scopes }, scope)) return false;
  return !rights || (await SeenEntries.read(database, rights, [entry])).isSeen(entry);
}

/** What a message says of a change. Clients find it in the description of REST, which is typed by it. */
export interface ChangeMessage {
  position: number;
  type: string;
  id: string;
  action: string;
  version: number;
  document: { type: string | null; id: string };
}

/**
 * The message of a delivery; undefined if its key may not know of the change, so that nothing is sent. @throws where the roles
 * of the key are not there
 */
export async function messageOf(
  webhook: Pick<Webhook, 'id' | 'types' | 'selection'>,
  delivery: Delivery,
  identity: KeyIdentity,
  { readPayload, database }: { readPayload: ReadPayload; database: EntrySource },
): Promise<Message | undefined> {
  const { id, position, entry } = delivery;
  if (position === null) return { id, body: bodyOf('test', new Date(), { webhook: webhook.id }) };
  if (!entry) return { id, body: bodyOf('gap', new Date(), gapIn(id) ?? { after: position - 1, until: position }) };
  // Whether it may be told of the change is known when its roles are there again.
  if (identity.whyNone)
    throw new Error(`Webhook ${webhook.id} waits: the key ${identity.keyId} has no rights. ${identity.whyNone}`);
  if (!(await mayBeTold(identity, entry, database))) return undefined;
  const thin: ChangeMessage = {
    position,
    type: entry.resource.model,
    id: entry.id,
    action: entry.action,
    version: entry.version,
    document: { type: entry.document.resource?.model ?? null, id: entry.document.id },
  };
  const type = `${thin.type}.${entry.action}`;
  if (webhook.selection === null) return { id, body: bodyOf(type, entry.at, thin) };
  const isOfType = webhook.types.length === 0 || webhook.types.includes(entry.resource.model);
  const target = isOfType ? entry.id : entry.document.id;
  const { query } = payloadQuery(webhook.selection, webhook.types);
  const payload = await readPayload(query, target, identity);
  if ('error' in payload && mayPass(payload.error, delivery)) throw new Error(`The payload: ${payload.error.message}`);
  const rest =
    'json' in payload ? `"record":${payload.json}` : `"record":null,"error":${JSON.stringify(payload.error)}`;
  return { id, body: bodyOf(type, entry.at, thin).replace(/\}\}$/, () => `,${rest}}}`) };
}

/**
 * Whether a record is read again, because its error may be gone then, and no try is too much: it takes too long, or something in
 * it fails. An unavailable database says nothing about the record, so it does not count.
 */
const mayPass = ({ code }: PayloadError, delivery: Delivery): boolean =>
  code === 'UNAVAILABLE' ||
  ((code === 'TIMEOUT' || code === 'INTERNAL_SERVER_ERROR') && ++delivery.unread <= triesToRead);

const bodyOf = (type: string, timestamp: Date, data: object): string => JSON.stringify({ type, timestamp, data });

/**
 * The `webhook-id` of the message about one entry of the journal, `msg_<webhook>_<position>`. It follows from both, so
 * every process and every attempt gives it the same.
 */
export const messageIdOf = (webhookId: string, what: number | string): string => `msg_${webhookId}_${what}`;

/** The position in the id of one of this webhook's messages; undefined for any other text. */
export function positionIn(webhookId: string, messageId: string): number | undefined {
  const start = messageIdOf(webhookId, '');
  const rest = messageId.startsWith(start) ? messageId.slice(start.length) : '';
  return /^[1-9]\d{0,15}$/.test(rest) ? Number(rest) : undefined;
}

/** The positions in the id of a message that changes are missing; undefined for any other. */
export function gapIn(messageId: string): { after: number; until: number } | undefined {
  const [, after, until] = /_gap_(\d{1,16})_(\d{1,16})$/.exec(messageId) ?? [];
  return after === undefined || until === undefined ? undefined : { after: Number(after), until: Number(until) };
}

/**
 * Announcements of missing changes are delivered one after the other, as the changes of a document are. No record has this
 * id: those that are made, and those that an import accepts, begin with the name of their type and an underscore.
 */
export const gapDocument = 'gap';

/**
 * The announcement that the changes after a position up to another are missing. It has the first of these positions, so
 * that the webhook stays there until it is delivered or stored.
 */
export const gapDelivery = (webhookId: string, after: number, until: number): Delivery =>
  newDelivery(webhookId, messageIdOf(webhookId, `gap_${after}_${until}`), after + 1, gapDocument);

interface Message {
  /** The same in every attempt, so that the receiver can recognise a repetition. */
  id: string;
  /** JSON. */
  body: string;
}

/**
 * The headers of a message as Standard Webhooks 1.0 says. `keys` are all keys that are valid now, the newest first:
 * while keys are rotated, a receiver accepts the message by either.
 */
export function signedHeaders({ id, body }: Message, keys: readonly SigningKeys[], now: Date) {
  const timestamp = String(Math.floor(now.getTime() / 1000));
  return {
    'content-type': 'application/json',
    'user-agent': 'Business-Records-Gateway',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': keys.map((each) => each.sign(`${id}.${timestamp}.${body}`)).join(' '),
  };
}

export type SignedHeaders = ReturnType<typeof signedHeaders>;

/** The longest JSON of a record in a message, in bytes. */
export const largestPayload = 256 * 1024;

/** Reads what the message of a webhook holds of a record: an operation like any other, with the scopes of a key. */
export function createReadPayload(operate: RunningGateway['operate']): ReadPayload {
  return async (query, id, identity) => {
    try {
      const given = { query, variables: { id }, identity, agent: 'webhook', answerLimit: largestPayload };
      const { texts, errors: faults } = fieldsIn(await operate(given));
      if (faults[0]) throw faults[0];
      const json = Buffer.from(texts.get('record') ?? 'null', 'latin1');
      if (json.length > largestPayload) throw errors.answerTooLarge(largestPayload);
      return { json: json.toString() };
    } catch (error) {
      return { error: shownOf(error) };
    }
  };
}

function shownOf(error: unknown): PayloadError {
  if (error instanceof DocumentRefused) return { code: 'GRAPHQL_VALIDATION_FAILED', message: error.message };
  if (error instanceof GraphQLError) return { code: String(error.extensions.code), message: error.message };
  const { code, message } = knownError(error);
  return { code, message };
}
