import { isIP } from 'node:net';
import type { Identity } from '../../change/context.js';
import { nearest } from '../../common/nearest.js';
import { catalogue } from '../../model/catalogue.js';
import { errors } from '../../model/errors/errors.js';
import { nameProblems, type Problem } from '../../model/errors/problem.js';
import { hasScope, type Scope } from '../../model/scopes.js';
import { AddressRules } from './address-rules.js';
import { payloadQuery, SelectionProblem } from './selection.js';
import { type Webhook, type WebhookInput, webhookActions } from './webhook.js';
import type { WebhookHost } from './webhook-host.js';

/** Who saves a webhook. */
export type Maker = Pick<Identity, 'keyId' | 'scopes'>;

/** What a webhook receives, and at which URL. */
export type WebhookTerms = Pick<Webhook, 'name' | 'url' | 'selection'> & {
  types: readonly string[];
  actions: readonly string[];
};

/** The lists as they were sent. Null or none stands for everything, an empty one for nothing. */
type GivenLists = Pick<WebhookInput, 'types' | 'actions'>;

/**
 * Checks a webhook before it is saved, and the lists that were sent for it. @throws BAD_USER_INPUT; FORBIDDEN if the maker
 * may not read what the webhook names
 */
export function requireValidWebhook(
  subscription: WebhookTerms,
  given: GivenLists,
  maker: Maker,
  host: WebhookHost,
): void {
  const { name, url, types, actions } = subscription;
  const wrongUrl = urlProblem(url, new AddressRules(host.allowed));
  const problems = [
    ...nameProblems(name),
    ...(wrongUrl ? [invalid(['url'], wrongUrl)] : []),
    ...emptyLists(given),
    ...types.flatMap((type, index) => unknown(['types', index], type, modelNames)),
    ...actions.flatMap((action, index) => unknown(['actions', index], action, webhookActions)),
  ].map(inInput);
  if (problems.length > 0) throw errors.badInput(problems);
  requireReadable(types, maker);
  checkSelection(subscription, maker, host);
}

function checkSelection({ selection, types }: WebhookTerms, maker: Maker, host: WebhookHost): void {
  if (selection === null) return;
  const refuse = (message: string) => errors.badInput([inInput(invalid(['selection'], message))]);
  try {
    const { query, types: named } = payloadQuery(selection, types);
    requireReadable(named, maker);
    const problem = host.problemWith(query);
    if (problem) throw refuse(`cannot be used: ${problem.replace(/\.$/, '')}`);
    host.requireLinksReadable(query, maker);
  } catch (error) {
    if (error instanceof SelectionProblem) throw refuse(error.message.replace(/\.$/, ''));
    throw error;
  }
}

/** @throws FORBIDDEN with the scopes that the maker lacks to read these types */
function requireReadable(types: readonly string[], maker: Maker): void {
  const missing = new Set(types.flatMap((type) => readScopeOf(type) ?? []).filter((scope) => !hasScope(maker, scope)));
  if (missing.size > 0) throw errors.forbidden([...missing]);
}

/** The scope that allows reading records of a type; undefined if there is no such type. */
export function readScopeOf(type: string): Scope | undefined {
  const entry = entries.get(type);
  return entry && `${entry.area}:read`;
}

/**
 * Refuses empty lists: a webhook that receives nothing is of no use, and one that receives everything would be a
 * surprise.
 */
const emptyLists = (given: GivenLists): Problem[] =>
  (['types', 'actions'] as const)
    .filter((name) => given[name]?.length === 0)
    .map((name) => invalid([name], 'is empty: name at least one, or send null for all'));

function unknown(path: Problem['path'], name: string, known: readonly string[]): Problem[] {
  if (known.includes(name)) return [];
  const meant = nearest(name, new Set(known));
  return [invalid(path, `is none of ${known.join(', ')}${meant ? `; did you mean \`${meant}\`?` : ''}`)];
}

const entries = new Map(Object.entries(catalogue));
const modelNames = [...entries.keys()];

const invalid = (path: Problem['path'], message: string): Problem => ({ path, code: 'parameter_invalid', message });
const inInput = (problem: Problem): Problem => ({ ...problem, path: ['input', ...problem.path] });

/** The longest URL of a webhook, in characters. */
export const longestUrl = 2000;

/**
 * What is wrong with the URL of a webhook, as the end of a sentence that begins with its name; undefined if nothing is.
 * The addresses behind a name are checked with each connection, because they may change.
 */
export function urlProblem(text: string, rules: AddressRules): string | undefined {
  if (text.length > longestUrl) return `must have ${longestUrl} characters at most`;
  if (!URL.canParse(text)) return 'must be a URL such as https://example.com/hook';
  const url = new URL(text);
  if (url.username || url.password) return 'must not hold a user or a password; the signature proves who sends it';
  if (url.hash) return 'must not hold a fragment (#…), which is never sent';
  const host = hostOf(url);
  if (rules.namesHost(host)) return /^https?:$/.test(url.protocol) ? undefined : 'must begin with https:// or http://';
  if (url.protocol !== 'https:') return 'must begin with https://';
  if (url.port && Number(url.port) < firstFreePort) return `must use port 443, or one from ${firstFreePort}`;
  if (isIP(host) ? !rules.permits(host, host) : isLocalName(host)) {
    return 'names a host of a private network; whoever runs the gateway can allow it by WEBHOOK_ALLOW';
  }
  return undefined;
}

/**
 * The host of a URL as look-ups and address checks expect it: without brackets and final dot. `URL` has already
 * converted other spellings of an address, such as `0x7f.1`.
 */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
}

/** Ports below belong to other services, which must not receive requests. */
const firstFreePort = 1024;

/** Names that no public name server knows. A name without a dot is completed with the domain of the machine. */
function isLocalName(host: string): boolean {
  return !host.includes('.') || /\.(localhost|local|internal|intranet|lan|home|corp|home\.arpa)$/.test(host);
}
