import { ownSelection, restSelection } from './fields.js';
import { newLines, newRepair, repairPatch } from './inputs.js';
import { at, graphqlPhrases, type Json, type Subject } from './phrases.js';

const record = restSelection('AssetRepair');
const repair = `${ownSelection('AssetRepair')}
  consumedItems { ${ownSelection('AssetRepairConsumedItem')} }
  purchaseInvoices { ${ownSelection('AssetRepairPurchaseInvoice')} }`;

const page = `query ($offset: Int) {
  data: assetRepairs(first: 20, offset: $offset) { ${record} } total: assetRepairsTotal
}`;

/** W1 to W7 only: how much slower than the floor the stock stack is, those show. */
export const stockPhrases = graphqlPhrases({
  retrieve: {
    query: `query ($id: ID!) { record: assetRepair(id: $id) { ${record} } }`,
    variables: ({ id }) => ({ id }),
    answer: (data) => at(data, 'record'),
  },
  page: { query: page, answer: (data) => withHasMore(data, 0) },
  farPage: { query: page, variables: ({ offset }: Subject) => ({ offset }), answer: (data) => withHasMore(data, 0.9) },
  quotations: {
    query: `{ data: quotations(first: 20) { ${restSelection('Quotation')} } total: quotationsTotal }`,
    answer: (data) => withHasMore(data, 0),
  },
  withLines: {
    query: `query ($id: ID!) { assetRepair(id: $id) { ${repair} } }`,
    variables: ({ id }) => ({ id }),
  },
  pageWithLines: {
    query: `{ nodes: assetRepairs(first: 20) { ${repair} } }`,
    answer: (data) => ({ assetRepairs: data }),
  },
  create: {
    query: `mutation ($input: CreateAssetRepairInput!) { record: createAssetRepair(input: $input) { ${record} } }`,
    variables: () => ({ input: newRepair }),
    answer: (data) => at(data, 'record'),
  },
  createWithLines: {
    query: `mutation ($input: CreateAssetRepairInput!) { createAssetRepair(input: $input) { ${repair} } }`,
    variables: () => ({ input: { ...newRepair, ...newLines } }),
  },
  update: {
    query: `mutation ($id: ID!, $input: UpdateAssetRepairInput!) {
      record: updateAssetRepair(id: $id, input: $input) { ${record} }
    }`,
    variables: (subject) => ({ id: subject.id, input: repairPatch(subject) }),
    answer: (data) => at(data, 'record'),
  },
});

/** Computes `has_more` from the total. `skipped` is the skipped fraction of all records. */
function withHasMore(data: Json, skipped: number): Json {
  const total = Number(at(data, 'total'));
  return { data: at(data, 'data'), has_more: Math.floor(total * skipped) + 20 < total, total };
}
