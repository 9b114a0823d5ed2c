/** Arguments of fields: ids, versions, pages, cursors, filters, orders. */
import { type GraphqlCase, named, operation, saying } from './graphql-case.js';

export const graphqlArguments: readonly GraphqlCase[] = [
  ...named(
    {
      'a number for the id': ['{"id": 5}', 'id'],
      'null for a required variable': ['{"id": null}', 'id'],
      'a required variable left out': ['{}', 'id'],
      'a required variable under the prototype': ['{"__proto__": {"id": "$repair"}}', 'id'],
      'U+0000 in the id': ['{"id": "\\u0000"}', 'id'],
      'half a surrogate pair in the id': ['{"id": "\\ud800"}', 'id'],
      'a list for the id': ['{"id": ["$repair"]}', 'id'],
    },
    (variables) => operation('query ($id: ID!) { assetRepair(id: $id) { id } node(id: $id) { id } }', variables),
  ),
  ...named(
    {
      'null among ids': ['{"ids": ["a", null]}', 'ids[1]'],
      '1,001 ids': [`{"ids": [${'"x",'.repeat(1000)}"x"]}`, 'ids'],
    },
    (variables) => operation('query ($ids: [ID!]!) { nodes(ids: $ids) { id } }', variables),
  ),
  ...named(
    {
      'text for a version': ['{"v": "1"}', 'v'],
      'a fraction of a version': ['{"v": 1.5}', 'v'],
      'a version of 33 bits': ['{"v": 2147483648}', 'v'],
    },
    (variables) =>
      operation(
        'mutation ($v: Int) { deleteAssetRepair(id: "$repair", expectedVersion: $v) { deletedId } }',
        variables,
      ),
  ),
  ...named(
    {
      'a page of fewer than none': ['first: -1', 'first'],
      'a page of 1,001': ['first: 1001', 'first'],
      'a last page of fewer than none': ['last: -1', 'last'],
      'a last page of 1,001': ['last: 1001', 'last'],
      'an offset below 0': ['offset: -1', 'offset'],
      'a wrong size and a wrong offset': ['first: -1, offset: -1', 'first', 'offset'],
      'a cursor that is none': ['after: "cursor"', 'after'],
      'an empty cursor': ['after: ""', 'after'],
      'a cursor with U+0000 in it': [`after: "${cursor('id desc', 'asset-repair_\u0000')}"`, 'after'],
      'a cursor with half a surrogate pair in it': [`before: "${cursor('id desc', 'asset-repair_\ud800')}"`, 'before'],
      'a cursor of a number': [`before: "${cursor('id desc', 1)}"`, 'before'],
      'a cursor of another type': [`after: "${cursor('id desc', 'timesheet_0')}"`, 'after'],
      'a cursor of a list of lines': [`before: "${cursor('idx asc', 1, 'asset-repair-consumed-item_0')}"`, 'before'],
      'a cursor of another order': [`before: "${cursor('asset asc', 'PRESS-1', 'asset-repair_0')}"`, 'before'],
      'a cursor of too much': [`after: "${cursor('id desc', 'asset-repair_0', 'asset-repair_1')}"`, 'after'],
      'a cursor of an object': [`after: "${Buffer.from('{"__proto__":1}').toString('base64url')}"`, 'after'],
      'a cursor of 40,000 nested lists': [
        `after: "${Buffer.from('['.repeat(40_000) + ']'.repeat(40_000)).toString('base64url')}"`,
        'after',
      ],
      'nine orders': [`orderBy: [${'{field: ASSET}, '.repeat(9)}]`, 'orderBy'],
      'null in a condition': ['where: {asset: {eq: null}}', 'where.asset.eq'],
      'U+0000 in a condition': ['where: {or: [{}, {asset: {startsWith: "\\u0000"}}]}', 'where.or[1].asset.startsWith'],
      'a number above every double in a condition': ['where: {repairCost: {lt: 1e999}}', 'where.repairCost.lt'],
      '1,001 values in a condition': [`where: {asset: {in: [${'"x",'.repeat(1001)}]}}`, 'where.asset.in'],
    },
    (args) => operation(`{ assetRepairs(${args}) { nodes { id } totalCount } }`),
  ),
  ...named(
    {
      'a condition nested 900 deep': [`${'{"not": '.repeat(900)}{}${'}'.repeat(900)}`, 'where'],
      'conditions nested 450 deep in lists': [`${'{"and": ['.repeat(450)}{}${']}'.repeat(450)}`, 'where'],
      'a day for an instant without its zone': ['{"createdAt": {"lt": "2026-01-31T09:30"}}', 'where.createdAt.lt'],
      'a day that is not in the calendar': ['{"createdAt": {"lt": "2026-13-01"}}', 'where.createdAt.lt'],
      'an instant before the year 1': ['{"createdAt": {"lt": "0000-12-31"}}', 'where.createdAt.lt'],
      'an instant far before the year 1': ['{"createdAt": {"gt": "-271821-04-20T00:00:00Z"}}', 'where.createdAt.gt'],
      'a measure in a condition': ['{"and": [{"id": {"count": {"gt": 1}}}]}', 'where.and[0].id.count'],
      'an unknown name in a condition': ['{"asset": {"equals": "x"}}', 'where.asset.equals'],
      'the name __proto__ in a filter': ['{"__proto__": {"asset": {"eq": "x"}}}', 'where.__proto__'],
      '300 conditions': [`{"or": [${several(6, `{"or": [${several(50, '{"asset": {"eq": "x"}}')}]}`)}]}`, 'where'],
      '2,000 values in several conditions': [
        `{"or": [${several(2, `{"asset": {"in": [${several(1000, '"x"')}]}}`)}]}`,
        'where',
      ],
    },
    (where) =>
      operation(
        'query ($where: AssetRepairFilter) { assetRepairs(where: $where) { nodes { id } totalCount } }',
        `{"where": ${where}}`,
      ),
  ),
  ...named(
    {
      'a slice of no lines': ['limit: 0', 'limit'],
      'a slice of 1,001 lines': ['limit: 1001', 'limit'],
      'a slice that begins below 0': ['offset: -1', 'offset'],
      'U+0000 in a condition on lines': ['where: {itemCode: {eq: "\\u0000"}}', 'where.itemCode.eq'],
      'null in a condition on lines': ['where: {itemCode: {eq: null}}', 'where.itemCode.eq'],
      'a number above every double on lines': ['where: {valuationRate: {gt: 1e999}}', 'where.valuationRate.gt'],
      'nine orders of lines': [`orderBy: [${'{field: IDX}, '.repeat(9)}]`, 'orderBy'],
    },
    (args) => operation(`{ assetRepair(id: "$repair") { consumedItems(${args}) { id } } }`),
  ),
  ...[
    'assetRepair(id: "$repair") { consumedItems(where: $where) { id } }',
    'items: assetRepairConsumedItemAggregate(where: $where) { count }',
  ].flatMap((field) =>
    named(
      {
        [`2,500 conditions in { ${field} }`]: [
          `{"or": [${several(50, `{"or": [${several(50, '{"itemCode": {"eq": "x"}}')}]}`)}]}`,
          'where',
        ],
        [`2,000 values in { ${field} }`]: [
          `{"itemCode": {"in": [${several(1000, '"x"')}], "notIn": [${several(1000, '"x"')}]}}`,
          'where',
        ],
      },
      (where) => operation(`query ($where: AssetRepairConsumedItemFilter) { ${field} }`, `{"where": ${where}}`),
    ),
  ),
  ...named(
    {
      '2,000 values in a condition on groups': [
        `{"failureDate": {"min": {"in": [${several(1000, '"x"')}], "notIn": [${several(1000, '"x"')}]}}}`,
        'having',
      ],
    },
    (having) =>
      operation(
        'query ($having: AssetRepairHaving) { assetRepairAggregate(having: $having) { groups { count } } }',
        `{"having": ${having}}`,
      ),
  ),
  ...named(
    {
      'a reorder of an unknown parent': ['parentId: "asset-repair_0", ids: []', 'parentId'],
      'a reorder of a parent of another type': ['parentId: "$item"', 'parentId'],
      'a reorder of an empty parent': ['parentId: "", ids: []', 'parentId'],
      'a reorder of a parent with U+0000': ['parentId: "\\u0000"', 'parentId'],
      'a reorder of a parent longer than an index takes': [`parentId: "${'x'.repeat(256)}"`, 'parentId'],
      'a reorder that leaves lines out': ['parentId: "$repair", ids: ["$item"]', 'ids'],
      'a reorder of no line': ['parentId: "$repair", ids: []', 'ids'],
      'a reorder that names a line twice': ['parentId: "$repair", ids: ["$item", "$item", "$otherItem"]', 'ids'],
      'a reorder that names a stranger': ['parentId: "$repair", ids: ["$item", "$otherItem", "x"]', 'ids'],
    },
    (args) => operation(`mutation { reorderAssetRepairConsumedItems(${args}) { records { id } } }`),
  ),
  ...saying('NOT_FOUND', {
    'an id that no record has': [
      'mutation { deleteAssetRepair(id: "asset-repair_0") { deletedId } }',
      'asset-repair_0',
    ],
    'the id of another type': ['mutation { deleteAssetRepair(id: "$item") { deletedId } }', '$item'],
    'the id __proto__': ['mutation { submitAssetRepair(id: "__proto__") { record { id } } }', '__proto__'],
    'another id than that of the settings': [
      'mutation { updateSubscriptionSettings(id: "x", input: {prorate: true}) { record { id } } }',
      'Subscription Settings',
    ],
  }),
  ...saying('VERSION_CONFLICT', {
    'a version that is not the present one': [
      'mutation { deleteAssetRepair(id: "$repair", expectedVersion: 99) { deletedId } }',
      'version',
    ],
    'a version before the first': [
      'mutation { submitAssetRepair(id: "$repair", expectedVersion: 0) { record { id } } }',
      'version',
    ],
  }),
  ...named(
    {
      'text written for an instant': ['where: {createdAt: {lt: "soon"}}', 'where.createdAt.lt'],
      'a number written for an instant': ['where: {createdAt: {in: ["2026-01-31", 5]}}', 'where.createdAt.in[1]'],
      'an unknown order, written': ['orderBy: {field: asset}', 'orderBy.field'],
      'text written for a size': ['first: "5"', 'first'],
      'an order of groups': ['orderBy: {field: REPAIR_COST, measure: SUM}', 'orderBy.measure'],
      'the key of a group': ['orderBy: [{field: ID}, {field: FAILURE_DATE, by: YEAR}]', 'orderBy[1].by'],
      'a measure in a condition, written': ['where: {not: {repairCost: {max: {gt: 1}}}}', 'where.not.repairCost.max'],
    },
    (args) => operation(`{ assetRepairs(${args}) { totalCount } }`),
  ).map((one) => ({ ...one, code: 'GRAPHQL_VALIDATION_FAILED' })),
  ...named(
    {
      'a measure in a condition on lines': ['where: {totalValue: {sum: {gt: 1}}}', 'where.totalValue.sum'],
      'an order of groups of lines': ['orderBy: {field: TOTAL_VALUE, measure: MAX}', 'orderBy.measure'],
    },
    (args) => operation(`{ assetRepair(id: "$repair") { consumedItems(${args}) { id } } }`),
  ).map((one) => ({ ...one, code: 'GRAPHQL_VALIDATION_FAILED' })),
  ...saying('INVALID_STATE', {
    'a cancel of a draft': ['mutation { cancelAssetRepair(id: "$repair") { record { id } } }', 'draft'],
    'a draft cancelled by an update': [
      'mutation { updateAssetRepair(id: "$repair", input: {status: CANCELLED}) { record { id } } }',
      'draft',
    ],
  }),
];

function cursor(...values: unknown[]): string {
  return Buffer.from(JSON.stringify(values)).toString('base64url');
}

function several(count: number, json: string): string {
  return Array.from({ length: count }, () => json).join(', ');
}
