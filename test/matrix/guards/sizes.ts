/** Operations that exceed a limit of size. */
import type { Attempt } from '../attempt.js';
import type { Deed, Target } from '../deed.js';
import { beforeFields, type Guard, inLongTexts, refusal } from '../guard.js';
import { withInput } from '../input.js';

const tooComplex = [refusal(400, 'QUERY_TOO_COMPLEX')];
const times = (count: number, text: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => text(i)).join(' ');
const noText = 'REST has no texts';

const large = (
  name: string,
  change: (attempt: Attempt, deed: Deed) => Partial<Attempt>,
  more: { skips?: Guard['skips']; isLong?: true } = {},
): Guard => ({
  name: `size: ${name}`,
  skips: more.skips ?? beforeFields,
  graphql: {
    spoil: (attempt, deed) => ({ ...attempt, ...change(attempt, deed) }),
    refusals: tooComplex,
    ...(more.isLong ? { skips: inLongTexts } : {}),
  },
  rest: noText,
});

const withoutRepair = ({ inside }: Deed) => (inside ? undefined : 'no repair can be reached from it');
const dear = `consumedItems(limit: 1000) { ${times(200, (index) => `a${index}: id`)} }`;
const deep = `${'consumedItems(limit: 1) { assetRepair { '.repeat(11)}id${' } }'.repeat(11)}`;

export const sizeGuards: Guard[] = [
  large('cost', (_, { inside = String }) => ({ selection: inside(dear) }), { skips: withoutRepair }),
  large('depth', (_, { inside = String }) => ({ selection: inside(deep) }), { skips: withoutRepair }),
  large('aliases', ({ selection }) => ({
    selection: `${selection} ${times(501, (index) => `a${index}: __typename`)}`,
  })),
  large('directives', ({ selection }) => ({
    selection: `${selection} ${times(101, (index) => `d${index}: __typename @include(if: true)`)}`,
  })),
  large('fragments', ({ selection }) => ({
    selection,
    definitions: times(101, (index) => `fragment F${index} on Query { __typename }`),
  })),
  large('root fields', () => ({ beside: times(101, () => '__typename') })),
  large(
    'previews',
    () => ({ beside: times(11, (index) => `p${index}: previewAction(id: "x", action: DELETE) { allowed }`) }),
    {
      skips: (deed) =>
        beforeFields(deed) ?? (deed.kind === 'query' ? undefined : 'a mutation has no field that previews'),
    },
  ),
  large('tokens', () => ({ definitions: times(2001, (index) => `query Q${index} { __typename }`) }), { isLong: true }),
  large('lines', () => ({ definitions: '\n'.repeat(10_001) }), { isLong: true }),
  large('brackets', () => ({ beside: `${'... { '.repeat(201)}__typename${' }'.repeat(201)}` })),
];

/** Answers that are too large, which is found while they are built. */
export const answerGuards: Guard[] = [
  {
    name: 'size: bytes of the answer',
    house: 'small answers',
    skips: (deed) =>
      withoutRepair(deed) ?? (/^a page$|^save for trial$/.test(deed.name) ? 'it answers with no record' : undefined),
    graphql: {
      spoil: (attempt, deed, target) => withText(attempt, deed, target),
      refusals: tooComplex,
      skips: ({ text }) => (text?.startsWith('trusted') ? 'the gateway of trusted documents is another' : undefined),
    },
    rest: 'no record by itself is as large as that; tests of pages ask it',
  },
];

/** Five hundred times the text of a record, which exists or is written by this operation. */
function withText(attempt: Attempt, deed: Deed, target: Target): Attempt {
  const selection = deed.inside?.(times(499, (index) => `a${index}: description`)) ?? '';
  const written = { ...attempt, selection };
  return deed.needs ? written : withInput(written, deed, (fields) => ({ ...fields, description: largeText(target) }));
}

/** As long as the description of the existing records. */
const largeText = ({ marker }: Target): string => marker.padEnd(3000, 'x');
