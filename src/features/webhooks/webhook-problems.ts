import { type DocumentNode, GraphQLError, Kind, OperationTypeNode, parse, print, visit } from 'graphql';
import type { Identity } from '../../change/context.js';
import { didYouMean } from '../../common/nearest.js';
import type { JoinedGateway } from '../../gateway/feature.js';
import { AddressRules, urlProblem } from '../../gateway/outgoing/address-rules.js';
import { scopesBelow } from '../../graphql/guards/guards.js';
import type { Operation } from '../../graphql/operation/admission.js';
import { DocumentRefused } from '../../graphql/operation/trusted-documents.js';
import { knownError } from '../../graphql/shown-errors/show-error.js';
import { catalogue } from '../../model/catalogue.js';
import { changeActions } from '../../model/change.js';
import { errors } from '../../model/errors/errors.js';
import { inInput, invalid, nameProblems, type Problem } from '../../model/errors/problem.js';
import { requireScopes, type Scope } from '../../model/scopes.js';
import { type WebhookInput, type WebhookTerms, webhookSettings } from './webhook.js';

/** What the management of webhooks needs of the gateway, or of the command that stands for one. */
export interface WebhookHost extends Pick<JoinedGateway, 'database' | 'journal' | 'schema' | 'grants'> {
  config: Pick<JoinedGateway['config'], 'texts'>;
  admission: Pick<JoinedGateway['admission'], 'fromRequest'>;
}

/** Who saves a webhook. */
export type Maker = Pick<Identity, 'keyId' | 'scopes' | 'whyNone' | 'rights'>;

/**
 * Checks a webhook before it is saved, and the lists that were sent for it: null or none stands for everything, an empty one for
 * nothing. @throws BAD_USER_INPUT; FORBIDDEN if the maker
 * may not read what the webhook names
 */
export function requireValidWebhook(
  subscription: WebhookTerms,
  given: Pick<WebhookInput, 'types' | 'actions'>,
  maker: Maker,
  host: WebhookHost,
): void {
  const { name, url, types, actions } = subscription;
  const wrongUrl = urlProblem(url, new AddressRules(webhookSettings.of(host.config).webhookAllow, 'WEBHOOK_ALLOW'));
  const problems = [
    ...nameProblems(name),
    ...(wrongUrl ? [invalid(['url'], wrongUrl)] : []),
    // A webhook that receives nothing is of no use, and one that receives everything would be a surprise.
    ...(['types', 'actions'] as const)
      .filter((list) => given[list]?.length === 0)
      .map((list) => invalid([list], 'is empty: name at least one, or send null for all')),
    ...types.flatMap((type, index) => unknown(['types', index], type, modelNames)),
    ...actions.flatMap((action, index) => unknown(['actions', index], action, changeActions)),
  ].map(inInput);
  if (problems.length > 0) throw errors.badInput(problems);
  requireReadable(types, maker);
  checkSelection(subscription, maker, host);
}

function checkSelection({ selection, types }: WebhookTerms, maker: Maker, host: WebhookHost): void {
  if (selection === null) return;
  // Taken from the host only now: a command makes both when they are asked for.
  const { admission } = host;
  const { query, types: named } = payloadQuery(selection, types);
  requireReadable(named, maker);
  const { tree } = admitted(query, admission);
  if (!tree) throw wrongSelection('cannot be used: it has a directive whose meaning is not known here');
  requireScopes(maker, scopesBelow(tree.fields, variables));
}

/** The record that a message is about is not known yet. */
const variables = { id: '' };

/** The document that reads a payload, admitted as if it were sent. @throws BAD_USER_INPUT */
function admitted(query: string, admission: WebhookHost['admission']): Operation {
  try {
    return admission.fromRequest({ query, variables }, false);
  } catch (error) {
    const { message } = error instanceof DocumentRefused ? error : knownError(error);
    throw wrongSelection(`cannot be used: ${message}`);
  }
}

/** @throws FORBIDDEN with the scopes that the maker lacks to read these types */
function requireReadable(types: readonly string[], maker: Maker): void {
  requireScopes(maker, [...new Set(types.flatMap((type) => readScopeOf(type) ?? []))]);
}

/** The scope that allows reading records of a type; undefined if there is no such type. */
export function readScopeOf(type: string): Scope | undefined {
  const entry = entries.get(type);
  return entry && `${entry.area}:read`;
}

const unknown = (path: Problem['path'], name: string, known: readonly string[]): Problem[] =>
  known.includes(name) ? [] : [invalid(path, `is none of ${known.join(', ')}${didYouMean(name, known)}`)];

const entries = new Map(Object.entries(catalogue));
const modelNames = [...entries.keys()];

/** The longest selection, in characters. */
export const longestSelection = 10_000;

/** A selection of a webhook that cannot be used; `message` is the end of a sentence that begins with its name. */
const wrongSelection = (message: string) => errors.invalidAt(['input', 'selection'], message.replace(/\.$/, ''));

/**
 * The query that reads what a message holds of a record by its `$id` as `record`, and the types that the selection names
 * by `... on`. The selection is on the webhook's type if it has exactly one, otherwise on Node. @throws BAD_USER_INPUT
 * if the text is anything but one selection
 */
export function payloadQuery(selection: string, types: readonly string[]) {
  if (selection.length > longestSelection) throw wrongSelection(`must have ${longestSelection} characters at most`);
  if (/[\p{Cc}]/u.test(selection.replaceAll(/[\t\r\n]/g, ''))) throw wrongSelection('holds control characters');
  let document: DocumentNode;
  try {
    document = parse(selection, { maxTokens: longestSelection });
  } catch (error) {
    if (error instanceof GraphQLError) throw wrongSelection(`cannot be parsed: ${error.message}`);
    throw error;
  }
  const [definition, ...others] = document.definitions;
  const isSelection =
    definition?.kind === Kind.OPERATION_DEFINITION &&
    definition.operation === OperationTypeNode.QUERY &&
    others.length === 0 &&
    selection.trimStart().startsWith('{');
  if (!isSelection) throw wrongSelection('must be one selection, such as `{ asset status }`');
  const [type, ...more] = types;
  const on = type !== undefined && more.length === 0 ? `... on ${type} ${print(definition.selectionSet)}` : undefined;
  const fields = on === undefined ? print(definition.selectionSet) : `{ ${on} }`;
  const named = new Set<string>();
  visit(document, {
    InlineFragment: ({ typeCondition }) => void (typeCondition && named.add(typeCondition.name.value)),
  });
  return { query: `query ($id: ID!) { record: node(id: $id) ${fields} }`, types: [...named] };
}
