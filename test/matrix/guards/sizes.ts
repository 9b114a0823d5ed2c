/** Operations that exceed a limit of size. */
import type { GraphqlCall } from '../calls.js';
import { beforeFields, type Guard, inLongTexts, refusal } from '../guard.js';
import type { Target, TestOperation } from '../test-operation.js';
import { withInput } from '../with-input.js';

const tooComplex = [refusal(400, 'QUERY_TOO_COMPLEX')];
const times = (count: number, text: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => text(i)).join(' ');
const noDocuments = 'REST has no documents';

const exceeding = (
  name: string,
  change: (call: GraphqlCall, operation: TestOperation) => Partial<GraphqlCall>,
  more: { skips?: Guard['skips']; isLong?: true } = {},
): Guard => ({
  name: `size: ${name}`,
  skips: more.skips ?? beforeFields,
  graphql: {
    makeInvalid: (call, operation) => ({ ...call, ...change(call, operation) }),
    refusals: tooComplex,
    ...(more.isLong ? { skips: inLongTexts } : {}),
  },
  rest: noDocuments,
});

const withoutRepair = ({ selectRepair }: TestOperation) =>
  selectRepair ? undefined : 'no repair can be reached from it';
const expensiveSelection = `consumedItems(limit: 1000) { ${times(200, (index) => `a${index}: id`)} }`;
const deepSelection = `${'consumedItems(limit: 1) { assetRepair { '.repeat(11)}id${' } }'.repeat(11)}`;

export const sizeGuards: Guard[] = [
  exceeding('cost', (_, { selectRepair = String }) => ({ selection: selectRepair(expensiveSelection) }), {
    skips: withoutRepair,
  }),
  exceeding('depth', (_, { selectRepair = String }) => ({ selection: selectRepair(deepSelection) }), {
    skips: withoutRepair,
  }),
  exceeding('aliases', ({ selection }) => ({
    selection: `${selection} ${times(501, (index) => `a${index}: __typename`)}`,
  })),
  exceeding('directives', ({ selection }) => ({
    selection: `${selection} ${times(101, (index) => `d${index}: __typename @include(if: true)`)}`,
  })),
  exceeding('fragments', ({ selection }) => ({
    selection,
    definitions: times(101, (index) => `fragment F${index} on Query { __typename }`),
  })),
  exceeding('root fields', () => ({ beside: times(101, () => '__typename') })),
  exceeding(
    'previews',
    () => ({ beside: times(11, (index) => `p${index}: previewAction(id: "x", action: DELETE) { allowed }`) }),
    {
      skips: (operation) =>
        beforeFields(operation) ?? (operation.kind === 'query' ? undefined : 'a mutation has no field that previews'),
    },
  ),
  exceeding('tokens', () => ({ definitions: times(2001, (index) => `query Q${index} { __typename }`) }), {
    isLong: true,
  }),
  exceeding('lines', () => ({ definitions: '\n'.repeat(10_001) }), { isLong: true }),
  exceeding('brackets', () => ({ beside: `${'... { '.repeat(201)}__typename${' }'.repeat(201)}` })),
];

/** Answers that are too large; the gateway notices it while it builds them. */
export const answerGuards: Guard[] = [
  {
    name: 'size: bytes of the answer',
    state: 'small answer limit',
    skips: (operation) =>
      withoutRepair(operation) ??
      (/^a page$|^save with validateOnly$/.test(operation.name) ? 'it answers with no record' : undefined),
    graphql: {
      makeInvalid: (call, operation, target) => withText(call, operation, target),
      refusals: tooComplex,
      skips: ({ text }) => (text?.startsWith('trusted') ? 'trusted documents need another gateway' : undefined),
    },
    rest: 'no single record is as large as that; tests of pages test it',
  },
];

/** Five hundred times the text of a record, which exists or is written by this operation. */
function withText(call: GraphqlCall, operation: TestOperation, target: Target): GraphqlCall {
  const selection = operation.selectRepair?.(times(499, (index) => `a${index}: description`)) ?? '';
  const written = { ...call, selection };
  return operation.needs
    ? written
    : withInput(written, operation, (fields) => ({ ...fields, description: largeText(target) }));
}

/** As long as the description of the existing records. */
const largeText = ({ marker }: Target): string => marker.padEnd(3000, 'x');
