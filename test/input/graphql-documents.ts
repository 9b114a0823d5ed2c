/** Invalid documents, and invalid bodies around them. */
import { type GraphqlCase, post, saying } from './graphql-case.js';

export const graphqlDocuments: readonly GraphqlCase[] = [
  ...saying('GRAPHQL_PARSE_FAILED', {
    'a document of nothing but a comment': ['# nothing', 'Syntax Error'],
    'a document that breaks off': ['mutation { createAssetRepair(', 'Syntax Error'],
    'half a surrogate pair, written': [
      'mutation { updateAssetRepair(id: "$repair", input: {asset: "\\ud800"}) { record { id } } }',
      'ud800',
    ],
    'a document of another language': ['SELECT * FROM "AssetRepair"', 'SELECT'],
  }),
  ...saying('GRAPHQL_VALIDATION_FAILED', {
    'a create without its input': ['mutation { createAssetRepair { record { id } } }', 'input'],
    'null for the input': ['mutation { createAssetRepair(input: null) { record { id } } }', 'CreateAssetRepairInput!'],
    'null for the id': ['mutation { deleteAssetRepair(id: null) { deletedId } }', 'ID!'],
    'no id': ['{ assetRepair { id } }', '"id"'],
    'no parent of lines': ['{ assetRepairConsumedItems { nodes { id } } }', 'parentId'],
    'an unknown argument': ['{ assetRepair(ID: "x") { id } }', '"ID"'],
    'an unknown field': ['{ assetRepairs { nodes { asset_name } } }', 'assetName'],
    'an unknown mutation': ['mutation { dropAssetRepair(id: "$repair") { id } }', 'dropAssetRepair'],
    'a field of every object': ['{ constructor }', 'constructor'],
    'no selection of a record': ['{ assetRepair(id: "$repair") }', 'assetRepair'],
    'a selection of a text': ['{ assetRepair(id: "$repair") { asset { id } } }', 'asset'],
    'fragments in a circle': ['{ ...a } fragment a on Query { ...b } fragment b on Query { ...a }', '"a"'],
    'an unknown directive': ['{ __typename @deleteAll }', 'deleteAll'],
    'a variable that is not declared': ['{ assetRepair(id: $id) { id } }', '$id'],
    'a variable of another type': ['query ($id: Int) { assetRepair(id: $id) { id } }', '$id'],
    'a variable of a type that is not there': ['query ($id: Id!) { assetRepair(id: $id) { id } }', 'Id'],
  }),
  ...bodies(400, 'BAD_REQUEST', {
    'a body that breaks off': '{"query": "{ ECHO',
    'a byte that is no UTF-8': withDocument([0xff]),
    'an overlong U+0000': withDocument([0xc0, 0x80]),
    'an empty body': '',
    'a list of operations': '[{"query": "{ __typename }"}, {"query": "{ __typename }"}]',
    '40,000 nested lists': '['.repeat(40_000) + ']'.repeat(40_000),
    'null for a body': 'null',
    'a text for a body': '"{ __typename }"',
    'no document': '{}',
    'an empty document': '{"query": ""}',
    'null for a document': '{"query": null}',
    'a number for a document': '{"query": 5}',
    'a list for variables': '{"query": "{ __typename }", "variables": [1]}',
    '40,000 nested lists for variables': `{"query": "{ __typename }", "variables": ${'['.repeat(40_000)}${']'.repeat(40_000)}}`,
    '1,001 nested objects in variables': `{"query": "{ __typename }", "variables": ${'{"a":'.repeat(1001)}1${'}'.repeat(1001)}}`,
    'text for variables': '{"query": "{ __typename }", "variables": "{}"}',
  }),
  ...bodies(400, 'OPERATION_RESOLUTION_FAILURE', {
    'an operation that is not in the document': '{"query": "query A { __typename }", "operationName": "B"}',
    'two operations and no word which': '{"query": "query A { __typename } query B { __typename }"}',
  }),
  ...bodies(400, 'QUERY_TOO_COMPLEX', {
    'a document of 300 open brackets': JSON.stringify({ query: `${'{a'.repeat(300)}${'}'.repeat(300)}` }),
  }),
  ...bodies(413, 'BAD_REQUEST', {
    'a body of more than 1 MB': `{"query": "{ __typename }${' '.repeat(1024 * 1024)}"}`,
  }),
  ...['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'application/graphql'].map(
    (type) => ({
      what: `a body announced as ${type}`,
      request: { ...post('{"query": "{ __typename }"}'), headers: { 'content-type': type } },
      code: 'BAD_REQUEST',
      status: 415,
    }),
  ),
  ...['PUT', 'PATCH', 'DELETE'].map((method) => ({
    what: `${method} /graphql`,
    request: { method, path: '/graphql' },
    code: 'BAD_REQUEST',
    status: 405,
  })),
];

function bodies(status: number, code: string, cases: Record<string, string | Buffer>): GraphqlCase[] {
  return Object.entries(cases).map(([what, body]) => ({ what, request: post(body), code, status }));
}

function withDocument(bytes: number[]): Buffer {
  return Buffer.concat([Buffer.from('{"query": "{ ECHO'), Buffer.from(bytes), Buffer.from('"}')]);
}
