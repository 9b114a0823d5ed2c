/** Invalid literals, and invalid lines within a new parent. */
import { type GraphqlCase, type Named, named, operation, saying } from './graphql-case.js';
import type { RawRequest } from './raw-request.js';

export const graphqlValues: readonly GraphqlCase[] = [
  // What GraphQL itself lets through
  ...named(
    {
      'null written for a required text, in an update': ['asset: null', 'input.asset'],
      'a number above every double, written': ['repairCost: 1e999', 'input.repairCost'],
      'a number below every double, written': ['repairCost: -1e999', 'input.repairCost'],
      'a whole number above every double, written': [`repairCost: 1${'0'.repeat(400)}`, 'input.repairCost'],
      'U+0000, written': ['asset: "\\u0000"', 'input.asset'],
      'U+0000 written in braces': ['asset: "\\u{0}"', 'input.asset'],
      'two of them, written': ['repairCost: 1e999, description: "\\u0000"', 'input.description', 'input.repairCost'],
    },
    update,
  ),
  // What it refuses itself
  ...refused(
    {
      'text written for a number': ['repairCost: "5"', 'input.repairCost'],
      'a number written for text': ['asset: 5', 'input.asset'],
      'a number written for a boolean': ['capitalizeRepairCost: 1', 'input.capitalizeRepairCost'],
      'an integer of 33 bits, written': ['increaseInAssetLife: 2147483648', 'input.increaseInAssetLife'],
      'a fraction written for an integer': ['increaseInAssetLife: 5.0', 'input.increaseInAssetLife'],
      'an unknown state, written': ['status: DONE', 'input.status'],
      'a state written in lower case': ['status: submitted', 'input.status'],
      'a state written as text': ['status: "SUBMITTED"', 'input.status'],
      'a list written for text': ['asset: ["PRESS-1"]', 'input.asset'],
      'an object written for text': ['asset: {id: "PRESS-1"}', 'input.asset'],
      'a misspelt name, written': ['repairCots: 5', 'input.repairCots'],
      'the name __proto__, written': ['__proto__: {asset: "PRESS-1"}', 'input.__proto__'],
      'the name of the other surface, written': ['repair_cost: 5', 'input.repair_cost'],
      'the id, which nobody sets': ['id: "asset-repair_0"', 'input.id'],
      '150 nested lists, written': [`asset: ${'['.repeat(150)}${']'.repeat(150)}`, 'input.asset'],
    },
    update,
  ),
  ...refused(
    {
      'null written for a required text': ['asset: null, failureDate: "x"', 'input.asset'],
      'a number written in the second line': [
        'asset: "A", failureDate: "x", consumedItems: [{itemCode: "B", warehouse: "M"}, {itemCode: 5, warehouse: "M"}]',
        'input.consumedItems[1].itemCode',
      ],
      'text written for a line': ['asset: "A", failureDate: "x", consumedItems: ["B"]', 'input.consumedItems[0]'],
    },
    create,
  ),
  ...saying(
    'GRAPHQL_VALIDATION_FAILED',
    {
      'a create written without a required field': ['asset: "PRESS-1"', 'failureDate'],
      'a line written without a required field': [
        'asset: "A", failureDate: "x", consumedItems: [{itemCode: "B"}]',
        'warehouse',
      ],
      'the same name written twice': ['asset: "A", failureDate: "x", asset: "B"', 'asset'],
    },
    create,
  ),
  ...named(
    {
      'a required field missing in the third line': [
        '[{"itemCode": "A", "warehouse": "M"}, {"itemCode": "B", "warehouse": "M"}, {"warehouse": "M"}]',
        'input.consumedItems[2].itemCode',
      ],
      'null for a required field of a line': [
        '[{"itemCode": null, "warehouse": "M"}]',
        'input.consumedItems[0].itemCode',
      ],
      'an empty line': ['[{}]', 'input.consumedItems[0].itemCode', 'input.consumedItems[0].warehouse'],
      'null for a line': ['[{"itemCode": "A", "warehouse": "M"}, null]', 'input.consumedItems[1]'],
      'a number for a line': ['[5]', 'input.consumedItems[0]'],
      'a list for a line': ['[[]]', 'input.consumedItems[0]'],
      'text for all lines': ['"BOLT"', 'input.consumedItems'],
      '900 nested lists for all lines': ['['.repeat(900) + ']'.repeat(900), 'input.consumedItems[0]'],
      '5,001 lines': [`[${'{},'.repeat(5000)}{}]`, 'input.consumedItems'],
      'an unknown name in a line': ['[{"itemCode": "A", "warehouse": "M", "qty": 1}]', 'input.consumedItems[0].qty'],
      'a place in a line': ['[{"itemCode": "A", "warehouse": "M", "idx": 1}]', 'input.consumedItems[0].idx'],
      'a parent in a line': [
        '[{"itemCode": "A", "warehouse": "M", "assetRepairId": "$repair"}]',
        'input.consumedItems[0].assetRepairId',
      ],
      'U+0000 in a line': ['[{"itemCode": "A\\u0000", "warehouse": "M"}]', 'input.consumedItems[0].itemCode'],
      'a number above every double in a line': [
        '[{"itemCode": "A", "warehouse": "M", "valuationRate": 1e999}]',
        'input.consumedItems[0].valuationRate',
      ],
      'problems in two lines': [
        '[{"itemCode": 1, "warehouse": "M"}, {"itemCode": "A", "warehouse": 2}]',
        'input.consumedItems[0].itemCode',
        'input.consumedItems[1].warehouse',
      ],
    },
    (lines) =>
      operation(
        'mutation ($input: CreateAssetRepairInput!) { createAssetRepair(input: $input) { record { id } } }',
        `{"input": {"asset": "A", "failureDate": "x", "consumedItems": ${lines}}}`,
      ),
  ),
  ...saying(
    'GRAPHQL_VALIDATION_FAILED',
    { 'a line without its parent': ['itemCode: "A", warehouse: "M"', 'assetRepairId'] },
    createLine,
  ),
  ...refused(
    {
      'a line with null for its parent': ['itemCode: "A", warehouse: "M", assetRepairId: null', 'input.assetRepairId'],
    },
    createLine,
  ),
  ...refused(
    {
      'an id among the fields of a line': ['id: "$item", itemCode: "A"', 'input.id'],
      'null for an id among the fields of a line': ['id: null, itemCode: "A"', 'input.id'],
    },
    updateLine,
  ),
  ...named({ 'a parent that a variable holds, left out': ['{"parent": null}', 'parent'] }, (variables) =>
    operation(
      'mutation ($parent: ID!) { createAssetRepairConsumedItem(input: {itemCode: "A", warehouse: "M", assetRepairId: $parent}) { record { id } } }',
      variables,
    ),
  ),
  ...named(
    {
      'a place in a line, sent': ['{"lines": [{"itemCode": "A", "warehouse": "M", "idx": 1}]}', 'lines[0].idx'],
    },
    (variables) =>
      operation(
        'mutation ($lines: [CreateAssetRepairConsumedItemLineInput!]) { createAssetRepair(input: {asset: "A", failureDate: "x", consumedItems: $lines}) { record { id } } }',
        variables,
      ),
  ),
];

function createLine(fields: string): RawRequest {
  return operation(`mutation { createAssetRepairConsumedItem(input: {${fields}}) { record { id } } }`);
}

function updateLine(fields: string): RawRequest {
  return operation(`mutation { updateAssetRepairConsumedItem(id: "$item", input: {${fields}}) { record { id } } }`);
}

function update(fields: string): RawRequest {
  return operation(`mutation { updateAssetRepair(id: "$repair", input: {${fields}}) { record { id } } }`);
}

function create(fields: string): RawRequest {
  return operation(`mutation { createAssetRepair(input: {${fields}}) { record { id } } }`);
}

/** Found by GraphQL itself, with its own message. */
function refused(cases: Named, request: (sent: string) => RawRequest): GraphqlCase[] {
  return named(cases, request).map((one) => ({ ...one, code: 'GRAPHQL_VALIDATION_FAILED' }));
}
