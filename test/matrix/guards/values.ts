/** Wrong values, as variables, as literals and as defaults. */
import type { PreparedRestCall } from '../calls.js';
import { type Guard, refusal } from '../guard.js';
import type { TestOperation } from '../test-operation.js';
import { type Fields, withInput } from '../with-input.js';

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
const changeBody = (call: PreparedRestCall, change: (fields: Fields) => Fields) => ({
  ...call,
  body: change(call.body ?? {}),
});

const withoutInput = ({ inputPath }: TestOperation) => (inputPath ? undefined : 'no record is written field by field');
const withoutRepair = (operation: TestOperation) =>
  withoutInput(operation) ?? (/AssetRepairs?$/.test(operation.field) ? undefined : 'it has no such field');

export const valueGuards: Guard[] = [
  {
    name: 'value: of another type, in a record',
    skips: withoutInput,
    graphql: {
      makeInvalid: (call, operation) => withInput(call, operation, (fields) => firstChanged(fields, true)),
      refusals: wrong,
    },
    rest: { makeInvalid: (call) => changeBody(call, (fields) => firstChanged(fields, true)), refusals: wrongByRest },
  },
  {
    name: 'value: of another type, as argument',
    graphql: { makeInvalid: (call) => ({ ...call, args: firstChanged(call.args, true) }), refusals: wrong },
    rest: 'its arguments are texts in the path',
  },
  {
    name: 'value: a text for a number',
    skips: withoutRepair,
    graphql: {
      makeInvalid: (call, operation) => withInput(call, operation, (fields) => ({ ...fields, repairCost: 'abc' })),
      refusals: wrong,
    },
    rest: {
      makeInvalid: (call) => changeBody(call, (fields) => ({ ...fields, repair_cost: 'abc' })),
      refusals: wrongByRest,
    },
  },
  {
    name: 'value: of a field that does not exist',
    skips: withoutInput,
    graphql: {
      makeInvalid: (call, operation) => withInput(call, operation, (fields) => ({ ...fields, nope: 1 })),
      refusals: wrong,
    },
    rest: { makeInvalid: (call) => changeBody(call, (fields) => ({ ...fields, nope: 1 })), refusals: wrongByRest },
  },
  {
    name: 'value: null where one is required',
    skips: ({ args }) => {
      const names = Object.keys(args({ marker: '', id: '', lines: ['', ''] }));
      return names[0] === 'first' ? 'nothing is required' : undefined;
    },
    graphql: { makeInvalid: (call) => ({ ...call, args: firstChanged(call.args, null) }), refusals: wrong },
    rest: 'its arguments are texts in the path',
  },
  {
    name: 'value: a required one left out',
    skips: ({ name }) => (/^create|^add/.test(name) ? undefined : 'nothing is required'),
    graphql: {
      makeInvalid: (call, operation) =>
        withInput(call, operation, (fields) => Object.fromEntries(Object.entries(fields).slice(0, 1))),
      refusals: wrong,
    },
    rest: {
      makeInvalid: (call) => changeBody(call, (fields) => Object.fromEntries(Object.entries(fields).slice(0, 1))),
      refusals: wrongByRest,
    },
  },
  {
    name: 'value: a number beyond its range',
    skips: withoutRepair,
    graphql: {
      makeInvalid: (call, operation) =>
        withInput(call, operation, (fields) => ({ ...fields, increaseInAssetLife: 2 ** 31 })),
      refusals: wrong,
    },
    rest: {
      makeInvalid: (call) => changeBody(call, (fields) => ({ ...fields, increase_in_asset_life: 2 ** 31 })),
      refusals: wrongByRest,
    },
  },
  {
    name: 'value: a list or a page beyond its limit',
    skips: ({ argsOverLimit }) => (argsOverLimit ? undefined : 'it takes no list and no number of records'),
    graphql: {
      makeInvalid: (call, { argsOverLimit }) => ({ ...call, args: { ...call.args, ...argsOverLimit } }),
      refusals: wrong,
      skips: ({ transport, operation }) =>
        (transport === 'GET' || transport === 'HEAD') && operation === 'nodes'
          ? 'a URL of this length is refused for its length'
          : undefined,
    },
    rest: {
      makeInvalid: (call) => ({ ...call, query: { ...call.query, limit: '1001' } }),
      refusals: wrongByRest,
    },
  },
  {
    name: 'value: a text that no database holds',
    skips: withoutInput,
    graphql: {
      makeInvalid: (call, operation) => withInput(call, operation, (fields) => firstChanged(fields, 'a\u0000b')),
      refusals: [...wrong, refusal('field', 'NOT_FOUND')],
    },
    rest: {
      makeInvalid: (call) => changeBody(call, (fields) => firstChanged(fields, 'a\u0000b')),
      refusals: wrongByRest,
    },
  },
  {
    name: 'value: a state that is not open',
    skips: withoutRepair,
    graphql: {
      makeInvalid: (call, operation) => withInput(call, operation, (fields) => ({ ...fields, status: 'CANCELLED' })),
      refusals: [...wrong, refusal('field', 'INVALID_STATE')],
    },
    rest: {
      makeInvalid: (call) => changeBody(call, (fields) => ({ ...fields, status: 'cancelled' })),
      refusals: [...wrongByRest, refusal(409, 'invalid_state')],
    },
  },
];
