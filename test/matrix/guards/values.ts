/** Wrong values, as variables, as literals and as defaults. */
import type { RestAttempt } from '../attempt.js';
import type { Deed } from '../deed.js';
import { type Guard, refusal } from '../guard.js';
import { type Fields, withInput } from '../input.js';

const wrong = [
  refusal('request', 'GRAPHQL_VALIDATION_FAILED'),
  refusal('request', 'BAD_USER_INPUT'),
  refusal('field', 'BAD_USER_INPUT'),
];
const wrongByRest = [
  refusal(400, 'parameter_invalid'),
  refusal(400, 'parameter_missing'),
  refusal(400, 'parameter_unknown'),
];

const firstChanged = (fields: Fields, value: unknown): Fields => {
  const [first = ''] = Object.keys(fields);
  return { ...fields, [first]: value };
};
const withBody = (call: RestAttempt, change: (fields: Fields) => Fields) => ({
  ...call,
  body: change(call.body ?? {}),
});

const withoutInput = ({ input }: Deed) => (input ? undefined : 'no record is written field by field');
const withoutRepair = (deed: Deed) =>
  withoutInput(deed) ?? (/AssetRepairs?$/.test(deed.field) ? undefined : 'it has no such field');

export const valueGuards: Guard[] = [
  {
    name: 'value: of another type, in a record',
    skips: withoutInput,
    graphql: {
      spoil: (attempt, deed) => withInput(attempt, deed, (fields) => firstChanged(fields, true)),
      refusals: wrong,
    },
    rest: { spoil: (call) => withBody(call, (fields) => firstChanged(fields, true)), refusals: wrongByRest },
  },
  {
    name: 'value: of another type, as argument',
    graphql: { spoil: (attempt) => ({ ...attempt, args: firstChanged(attempt.args, true) }), refusals: wrong },
    rest: 'its arguments are texts in the path',
  },
  {
    name: 'value: a text for a number',
    skips: withoutRepair,
    graphql: {
      spoil: (attempt, deed) => withInput(attempt, deed, (fields) => ({ ...fields, repairCost: 'abc' })),
      refusals: wrong,
    },
    rest: { spoil: (call) => withBody(call, (fields) => ({ ...fields, repair_cost: 'abc' })), refusals: wrongByRest },
  },
  {
    name: 'value: under a name there is not',
    skips: withoutInput,
    graphql: {
      spoil: (attempt, deed) => withInput(attempt, deed, (fields) => ({ ...fields, nope: 1 })),
      refusals: wrong,
    },
    rest: { spoil: (call) => withBody(call, (fields) => ({ ...fields, nope: 1 })), refusals: wrongByRest },
  },
  {
    name: 'value: null where there must be one',
    skips: ({ args }) => {
      const names = Object.keys(args({ marker: '', id: '', lines: ['', ''] }));
      return names[0] === 'first' ? 'nothing is required' : undefined;
    },
    graphql: { spoil: (attempt) => ({ ...attempt, args: firstChanged(attempt.args, null) }), refusals: wrong },
    rest: 'its arguments are texts in the path',
  },
  {
    name: 'value: a required one left out',
    skips: ({ name }) => (/^create|^add|^make/.test(name) ? undefined : 'nothing is required'),
    graphql: {
      spoil: (attempt, deed) =>
        withInput(attempt, deed, (fields) => Object.fromEntries(Object.entries(fields).slice(0, 1))),
      refusals: wrong,
    },
    rest: {
      spoil: (call) => withBody(call, (fields) => Object.fromEntries(Object.entries(fields).slice(0, 1))),
      refusals: wrongByRest,
    },
  },
  {
    name: 'value: a number beyond its range',
    skips: withoutRepair,
    graphql: {
      spoil: (attempt, deed) => withInput(attempt, deed, (fields) => ({ ...fields, increaseInAssetLife: 2 ** 31 })),
      refusals: wrong,
    },
    rest: {
      spoil: (call) => withBody(call, (fields) => ({ ...fields, increase_in_asset_life: 2 ** 31 })),
      refusals: wrongByRest,
    },
  },
  {
    name: 'value: a list or a page beyond its limit',
    skips: ({ beyond }) => (beyond ? undefined : 'it takes no list and no number of records'),
    graphql: {
      spoil: (attempt, { beyond }) => ({ ...attempt, args: { ...attempt.args, ...beyond } }),
      refusals: wrong,
      skips: ({ transport, deed }) =>
        (transport === 'GET' || transport === 'HEAD') && deed === 'nodes'
          ? 'a URL of this length is refused as such'
          : undefined,
    },
    rest: {
      spoil: (call) => ({ ...call, query: { ...call.query, limit: '1001' } }),
      refusals: wrongByRest,
    },
  },
  {
    name: 'value: a text that no database holds',
    skips: withoutInput,
    graphql: {
      spoil: (attempt, deed) => withInput(attempt, deed, (fields) => firstChanged(fields, 'a\u0000b')),
      refusals: [...wrong, refusal('field', 'NOT_FOUND')],
    },
    rest: { spoil: (call) => withBody(call, (fields) => firstChanged(fields, 'a\u0000b')), refusals: wrongByRest },
  },
  {
    name: 'value: a state that is not open',
    skips: withoutRepair,
    graphql: {
      spoil: (attempt, deed) => withInput(attempt, deed, (fields) => ({ ...fields, status: 'CANCELLED' })),
      refusals: [...wrong, refusal('field', 'INVALID_STATE')],
    },
    rest: {
      spoil: (call) => withBody(call, (fields) => ({ ...fields, status: 'cancelled' })),
      refusals: [...wrongByRest, refusal(409, 'invalid_state')],
    },
  },
];
