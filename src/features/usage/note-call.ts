/**
 * What happens with each call of an endpoint before it is answered: it is counted, unless it only asks to be explained, and
 * if the endpoint is deprecated the answer says so (RFC 9745, RFC 8594), with the GraphQL operation that takes its place.
 */
import type { IncomingMessage } from 'node:http';
import { documentPath } from '../../../rest/operations.js';
import { asksToExplain } from '../../../rest/request/event-parameters.js';
import { publicAddress } from '../../../rest/response.js';
import type { Arrival } from '../../change/arrival.js';
import type { Current } from '../../common/current.js';
import type { RequestState } from '../../gateway/http/request-state.js';
import { errors } from '../../model/errors/errors.js';
import type { GatewayError } from '../../model/errors/gateway-error.js';
import { type Deprecation, type Deprecations, hasEnded } from './deprecations.js';
import type { Usage } from './usage.js';

/** Why an endpoint is refused to a key from now on; undefined if it is not. */
export function endpointRefusal(
  name: string,
  deprecation: Deprecation | undefined,
  caller: Caller,
): GatewayError | undefined {
  if (!deprecation?.sunset || !hasEnded(deprecation, caller.keyId)) return undefined;
  return errors.endpointEnded(name, deprecation.sunset, publicAddress(caller, documentPath(name)));
}

/** @throws ENDPOINT_ENDED, unless the call only asks to be explained */
export type NoteCall = (name: string, caller: Caller, call: Call) => void;

type Caller = Pick<Arrival, 'keyId' | 'publicUrl'>;

interface Call {
  request: Pick<IncomingMessage, 'headers'>;
  visit: Pick<RequestState, 'headers'>;
  query: URLSearchParams;
}

export function createNoteCall(usage: Pick<Usage, 'count'>, deprecations: Current<Deprecations>): NoteCall {
  return (name, caller, { request, visit, query }) => {
    const isExplained = asksToExplain({ query });
    if (!isExplained) usage.count(caller.keyId, 'rest', name, request.headers);
    const deprecation = deprecations.value.get(name);
    if (!deprecation) return;
    visit.headers.push(...deprecationHeaders(name, deprecation, caller));
    const refusal = isExplained ? undefined : endpointRefusal(name, deprecation, caller);
    if (refusal) throw refusal;
  };
}

/** Where the reference says that an endpoint is deprecated, unless the file names another address. */
const reference = '/docs';

function deprecationHeaders(name: string, deprecation: Deprecation, caller: Caller): string[] {
  const { since, sunset, documentation = publicAddress(caller, reference) } = deprecation;
  const links = [
    `<${documentation}>; rel="deprecation"`,
    ...(sunset ? [`<${documentation}>; rel="sunset"`] : []),
    `<${publicAddress(caller, documentPath(name))}>; rel="successor-version"; type="application/graphql"`,
  ];
  return [
    'Deprecation',
    `@${Math.floor(since.getTime() / 1000)}`,
    ...(sunset ? ['Sunset', sunset.toUTCString()] : []),
    'Link',
    links.join(', '),
  ];
}
