/** Requests for a record that does not exist, or has another version or state; and requests with the wrong method. */
import { schema } from '../../support/schema.js';
import { mutationByGet } from '../graphql-variants.js';
import { type Guard, refusal, unchanged } from '../guard.js';
import type { TestOperation } from '../test-operation.js';

const unknownId = 'asset-repair_00000000000000000000000000';

const takesVersion = ({ kind, field }: TestOperation): boolean =>
  kind === 'mutation' &&
  (schema.getMutationType()?.getFields()[field]?.args ?? []).some(({ name }) => name === 'expectedVersion');

export const stateGuards: Guard[] = [
  {
    name: 'version: another than expected',
    skips: (operation) => (takesVersion(operation) ? undefined : 'it expects no version'),
    graphql: {
      makeInvalid: (call) => ({ ...call, args: { ...call.args, expectedVersion: 99 } }),
      refusals: [refusal('field', 'VERSION_CONFLICT')],
    },
    rest: {
      makeInvalid: (call) => ({ ...call, headers: { ...call.headers, 'if-match': '"99"' } }),
      refusals: [refusal(412, 'version_conflict')],
    },
  },
  {
    name: 'version: as expected',
    skips: (operation) => (takesVersion(operation) ? undefined : 'it expects no version'),
    graphql: { makeInvalid: (call) => ({ ...call, args: { ...call.args, expectedVersion: 1 } }), refusals: [] },
    rest: { makeInvalid: (call) => ({ ...call, headers: { ...call.headers, 'if-match': '"99", "1"' } }), refusals: [] },
  },
  {
    name: 'state: not there',
    skips: ({ kind, args }) => {
      const isOfId = Object.hasOwn(args({ marker: '', id: '', lines: ['', ''] }), 'id');
      return kind === 'mutation' && isOfId ? undefined : 'what is not there is null, or an empty page';
    },
    graphql: {
      makeInvalid: (call) => ({ ...call, args: { ...call.args, id: unknownId } }),
      refusals: [refusal('field', 'NOT_FOUND')],
    },
    rest: {
      makeInvalid: (call) => ({ ...call, path: call.path.replace(/[a-z-]+_[0-9a-z]{26}/, unknownId) }),
      refusals: [refusal(404, 'resource_missing')],
    },
  },
  {
    name: 'state: not open',
    skips: ({ name }) => (name === 'submit' || name === 'cancel' ? undefined : 'it may be done in any state'),
    needs: ({ needs }) => (needs === 'draft' ? 'submitted' : 'draft'),
    graphql: { makeInvalid: unchanged, refusals: [refusal('field', 'INVALID_STATE')] },
    rest: { makeInvalid: unchanged, refusals: [refusal(409, 'invalid_state')] },
  },
  {
    name: 'method: a mutation by GET',
    skips: ({ kind }) => (kind === 'query' ? 'a query may come by GET' : undefined),
    liftedReason: mutationByGet,
    graphql: {
      makeInvalid: unchanged,
      refusals: [refusal(405, 'BAD_REQUEST')],
      skips: ({ transport }) =>
        transport === undefined || transport === 'GET' || transport === 'HEAD' ? undefined : 'a mutation comes by POST',
    },
    rest: 'each of its paths takes the methods it has, which the tests of routes check',
  },
];
