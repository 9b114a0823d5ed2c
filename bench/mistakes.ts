/** Requests of one size, each kind of mistake beside what is right in the same form. */
import { benchKey } from './server-process.js';

export interface Mistake {
  surface: string;
  kind: string;
  /** What is right, of the same form and size. */
  beside: keyof typeof right;
  request: Buffer;
}

/** The size of a request, just below the largest body. */
const bytes = 1_000_000;
const documentTokens = 9_000;

const numbered = (count: number, form: (index: number) => string): string[] =>
  Array.from({ length: count }, (_, index) => form(index));
const named = (name: string, size = bytes): object =>
  Object.fromEntries(numbered(size / (name.length + 10), (index) => `${name}${index}`).map((each) => [each, 1]));
const text = (length = bytes): string => 'x'.repeat(length);
const list = <Item>(length: number, item: Item): Item[] => Array.from({ length }, () => item);
/** No text is met again, so that no document is found among those that were admitted before. */
let count = 0;
const fresh = (): string => `fresh${count++}`;

function bytesOf(method: string, path: string, body = '', headers: Record<string, string> = {}): Buffer {
  const given = { authorization: `Bearer ${benchKey}`, 'content-type': 'application/json', host: 'bench', ...headers };
  const lines = Object.entries({ ...given, 'content-length': String(Buffer.byteLength(body)) });
  return Buffer.from(
    `${method} ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}`).join('\r\n')}\r\n\r\n${body}`,
  );
}

const graphql = (query: string, variables: object = {}): Buffer =>
  bytesOf('POST', '/graphql', JSON.stringify({ query, variables }));
const rest = (body: object): Buffer => bytesOf('POST', '/api/assets/asset-repair', JSON.stringify(body));

/** A body with this JSON in variables that are ignored; without `end` it breaks there. */
const json = (value: string, end = '}'): Buffer =>
  bytesOf('POST', '/graphql', `{"query":"{ __typename }","variables":{"a":${value}}${end}`);
const numbers = `[${list(bytes / 2, '1').join(',')}]`;
const escapes = `"${'\\n'.repeat(bytes / 2)}"`;
const lineEnds = `${'\n'.repeat(bytes)}1`;

const create = (input: object): Buffer =>
  graphql(
    'mutation ($input: CreateAssetRepairInput!) { createAssetRepair(input: $input) { record { id } userErrors { message } } }',
    { input },
  );
const createMany = (inputs: object): Buffer =>
  graphql(
    'mutation ($inputs: [CreateAssetRepairInput!]!) { createManyAssetRepairs(inputs: $inputs) { records { id } } }',
    {
      inputs,
    },
  );
const save = (input: object): Buffer =>
  graphql(
    'mutation ($input: SaveAssetRepairInput!) { saveAssetRepair(id: "asset-repair_01kahzqe0v3m7c2f9x5w8yt4bd", input: $input) { userErrors { message } } }',
    { input },
  );
const read = (where: object, orderBy: object[] = []): Buffer =>
  graphql(
    'query ($where: AssetRepairFilter, $orderBy: [AssetRepairSort!]) { assetRepairs(first: 1, where: $where, orderBy: $orderBy) { nodes { id } } }',
    { where, orderBy },
  );
const webhook = (selection: string): Buffer =>
  graphql('mutation ($input: CreateWebhookInput!) { createWebhook(input: $input) { webhook { id } } }', {
    input: { name: fresh(), url: 'https://example.com/', selection },
  });
const repair = { asset: 'LATHE', failureDate: '2026-01-31' };
const line = { itemCode: 'BELT', warehouse: text(150) };
const quotationFields =
  'id status quotationTo partyName customerName company transactionDate validTill orderType customerAddress addressDisplay contactPerson contactDisplay contactMobile contactEmail shippingAddressName shippingAddress customerGroup territory currency conversionRate sellingPriceList priceListCurrency plcConversionRate ignorePricingRule totalQty baseTotal baseNetTotal total netTotal totalNetWeight taxCategory shippingRule taxesAndCharges otherChargesCalculation totalTaxesAndCharges couponCode referralSalesPartner applyDiscountOn discountAmount grandTotal roundingAdjustment roundedTotal inWords tcName terms letterHead language title'.split(
    ' ',
  );
const quotation = (count: number): string =>
  numbered(count, (index) => quotationFields[index % quotationFields.length] ?? '').join('\n');

/** What is right, in the forms in which things can be wrong. */
export const right = {
  'one long text': () => create({ ...repair, description: text() }),
  '5,000 lines': () => create({ ...repair, consumedItems: list(5000, line) }),
  'names that are ignored': () => graphql('{ __typename }', named('k')),
  'a filter of 1,000 texts': () => read({ asset: { in: list(1000, text(980)) } }),
  'a document of 4,000 fields': () => graphql(`{ quotation(id: "${fresh()}") { ${quotation(4000)} } }`),
  'a document of texts': () =>
    graphql(`{ assetRepairs(where: {asset: {in: [${list(100, `"${fresh()}${text(9800)}"`)}]}}) { totalCount } }`),
  'a REST body of one text': () => rest({ asset: 'LATHE', failure_date: '2026-01-31', description: text() }),
  'JSON of numbers': () => json(numbers),
  'JSON of escapes': () => json(escapes),
  'JSON of line ends': () => json(lineEnds),
  'a REST list': () => bytesOf('GET', '/api/crm/industry-type?limit=1'),
} as const;

const parameters = (form: (index: number) => string): string => numbered(1000, form).join('&');
const stream = { accept: 'text/event-stream' };

type Kinds = Record<string, [beside: keyof typeof right, request: () => Buffer]>;

const surfaces: Record<string, Kinds> = {
  'GraphQL variables': {
    'unknown names': ['names that are ignored', () => create(named('k'))],
    'almost right names': ['names that are ignored', () => create(named('failureDat'))],
    'names of 90 characters': ['names that are ignored', () => create(named(text(90)))],
    'one long name': ['one long text', () => create({ [text()]: 1 })],
    'a list for a text': ['one long text', () => create({ asset: list(bytes / 2, 1) })],
    'a deep object': ['one long text', () => create(JSON.parse(`${'{"a":'.repeat(900)}1${'}'.repeat(900)}`))],
    'a huge number': ['one long text', () => create({ repairCost: text().replaceAll('x', '9') })],
    'lines of unknown names': ['5,000 lines', () => create({ ...repair, consumedItems: list(5000, named('k', 190)) })],
    'lines of wrong types': ['5,000 lines', () => create({ ...repair, consumedItems: list(5000, { itemCode: 1 }) })],
    'incomplete lines': ['5,000 lines', () => create({ ...repair, consumedItems: list(5000, { totalValue: 1 }) })],
    'lines of odd texts': ['5,000 lines', () => create({ ...repair, consumedItems: list(5000, { itemCode: '\0' }) })],
    'too many lines': ['5,000 lines', () => create({ ...repair, consumedItems: list(bytes / 2, 1) })],
    'a hundred wrong records': ['names that are ignored', () => createMany(list(100, named('k', bytes / 100)))],
    'a hundred records of wrong lines': [
      '5,000 lines',
      () => createMany(list(100, { ...repair, consumedItems: list(200, named('k', 40)) })),
    ],
    'a save of wrong lines': ['5,000 lines', () => save({ consumedItems: list(5000, named('k', 190)) })],
  },
  'filters and orders': {
    'unknown names': ['names that are ignored', () => read(named('k'))],
    'unknown names within': [
      'names that are ignored',
      () => read({ or: list(50, { or: list(5, named('k', bytes / 250)) }) }),
    ],
    'too many values': ['a filter of 1,000 texts', () => read({ asset: { in: list(bytes / 4, 'x') } })],
    'a deep filter': ['a filter of 1,000 texts', () => read(JSON.parse(`${'{"not":'.repeat(900)}1${'}'.repeat(900)}`))],
    'unknown fields to sort by': ['names that are ignored', () => read({}, list(8, named('k', bytes / 8)))],
  },
  'GraphQL documents': {
    'unknown fields': [
      'a document of 4,000 fields',
      () => graphql(`{ ${fresh()} quotation(id: "x") { ${numbered(5000, (index) => `f${index}`).join('\n')} } }`),
    ],
    'unknown arguments': [
      'a document of 4,000 fields',
      () => graphql(`{ ${fresh()} assetRepairs(${numbered(documentTokens / 3, (index) => `f${index}: 1`)}) { id } }`),
    ],
    'unknown fragments': [
      'a document of 4,000 fields',
      () => graphql(`{ ${fresh()} ${numbered(documentTokens / 2, (index) => `...f${index}`).join(' ')} }`),
    ],
    'unused variables': [
      'a document of 4,000 fields',
      () => graphql(`query (${numbered(documentTokens / 4, (index) => `$v${index}: Int`)}) { ${fresh()} }`),
    ],
    'many operations': [
      'a document of 4,000 fields',
      () => graphql(numbered(documentTokens / 5, (index) => `query q${index} { ${fresh()} }`).join(' ')),
    ],
    'wrong values': [
      'a document of 4,000 fields',
      () => graphql(`{ ${fresh()} assetRepairs(where: {asset: {in: [${list(documentTokens, 1)}]}}) { totalCount } }`),
    ],
    'unknown enum values': [
      'a document of 4,000 fields',
      () => graphql(`{ assetRepairs(orderBy: [${numbered(1000, () => `{field: ${fresh()}}`)}]) { totalCount } }`),
    ],
    'long texts for numbers': [
      'a document of texts',
      () => graphql(`{ assetRepairs(where: {repairCost: {in: [${list(100, `"${text(9800)}"`)}]}}) { totalCount } }`),
    ],
    'a huge number': [
      'a document of texts',
      () => graphql(`{ assetRepairs(first: ${text().replaceAll('x', '9')}) { totalCount } }`),
    ],
    'no GraphQL': ['a document of texts', () => graphql(`{ ${text()} %`)],
  },
  'JSON that breaks at its end': {
    numbers: ['JSON of numbers', () => json(numbers, '')],
    escapes: ['JSON of escapes', () => json(escapes, '')],
    'line ends': ['JSON of line ends', () => json(lineEnds, '')],
  },
  'REST bodies': {
    'unknown names': ['names that are ignored', () => rest(named('k'))],
    'almost right names': ['names that are ignored', () => rest(named('failure_dat'))],
    'one long name': ['a REST body of one text', () => rest({ [text()]: 1 })],
    'a list for a text': ['a REST body of one text', () => rest({ asset: list(bytes / 2, 1) })],
    'the same name again': [
      'a REST body of one text',
      () => bytesOf('POST', '/api/assets/asset-repair', `{${list(bytes / 12, '"asset":"x"')}}`),
    ],
    'too deep': ['a REST body of one text', () => bytesOf('POST', '/api/assets/asset-repair', '['.repeat(bytes))],
  },
  'REST parameters': {
    unknown: [
      'a REST list',
      () => bytesOf('GET', `/api/crm/industry-type?limit=x&${parameters((each) => `p${each}=1`)}`),
    ],
    'of changes': [
      'a REST list',
      () => bytesOf('GET', `/api/changes?types=${numbered(900, (index) => `asset-repa${index}`)}`),
    ],
    'of events': [
      'a REST list',
      () => bytesOf('GET', `/api/events?types=${numbered(900, (index) => `asset-repa${index}`)}`, '', stream),
    ],
  },
  'saved selections': {
    'unknown fields': [
      'a document of 4,000 fields',
      () => webhook(`{ ${numbered(1600, (index) => `f${index}`).join(' ')} }`),
    ],
    'too long': ['one long text', () => webhook(`{ ${text(bytes - 1000)} }`)],
  },
};

/** The request of each kind of mistake; documents are new ones each time. */
export const mistakes = (): Mistake[] =>
  Object.entries(surfaces).flatMap(([surface, kinds]) =>
    Object.entries(kinds).map(([kind, [beside, request]]) => ({ surface, kind, beside, request: request() })),
  );
