import { ownSelection, restSelection } from './fields.js';
import { newLines, newRepair, repairPatch } from './inputs.js';
import { at, graphqlPhrases, type Json, type Phrases } from './phrases.js';

/** PostGraphile uses `id` for its own ids. */
const columns = { id: 'rowId' };
const record = restSelection('AssetRepair', columns);
const repair = `${ownSelection('AssetRepair', columns)}
  consumedItems: assetRepairConsumedItemsByAssetRepairIdList(orderBy: IDX_ASC) {
    ${ownSelection('AssetRepairConsumedItem', columns)}
  }
  purchaseInvoices: assetRepairPurchaseInvoicesByAssetRepairIdList(orderBy: IDX_ASC) {
    ${ownSelection('AssetRepairPurchaseInvoice', columns)}
  }`;

const page = (name: string, fields: string) => `query ($offset: Int) {
  page: ${name}(first: 20, offset: $offset, orderBy: PRIMARY_KEY_DESC) {
    data: nodes { ${fields} } pageInfo { has_more: hasNextPage } total: totalCount
  }
}`;

const phrases = graphqlPhrases({
  retrieve: {
    query: `query ($id: String!) { record: assetRepairByRowId(rowId: $id) { ${record} } }`,
    variables: ({ id }) => ({ id }),
    answer: (data) => at(data, 'record'),
  },
  page: { query: page('allAssetRepairs', record), answer: restPage },
  farPage: {
    query: page('allAssetRepairs', record),
    variables: ({ offset }) => ({ offset }),
    answer: restPage,
  },
  quotations: { query: page('allQuotations', restSelection('Quotation', columns)), answer: restPage },
  withLines: {
    query: `query ($id: String!) { assetRepair: assetRepairByRowId(rowId: $id) { ${repair} } }`,
    variables: ({ id }) => ({ id }),
  },
  pageWithLines: {
    query: `{ assetRepairs: allAssetRepairs(first: 20, orderBy: PRIMARY_KEY_DESC) { nodes { ${repair} } } }`,
  },
  create: {
    query: `mutation ($repair: AssetRepairInput!) {
      create: createAssetRepair(input: { assetRepair: $repair }) { assetRepair { ${record} } }
    }`,
    variables: () => ({ repair: newRepair }),
    answer: (data) => at(data, 'create', 'assetRepair'),
  },
  createWithLines: {
    query: `mutation ($repair: JSON!, $items: JSON!, $invoices: JSON!) {
      create: createRepairWithLines(input: { repair: $repair, items: $items, invoices: $invoices }) {
        result { ${repair} }
      }
    }`,
    variables: () => ({ repair: newRepair, items: newLines.consumedItems, invoices: newLines.purchaseInvoices }),
    answer: (data) => ({ createAssetRepair: at(data, 'create', 'result') }),
  },
  update: {
    query: `mutation ($id: String!, $patch: AssetRepairPatch!) {
      update: updateAssetRepairByRowId(input: { rowId: $id, assetRepairPatch: $patch }) { assetRepair { ${record} } }
    }`,
    variables: ({ id }) => ({ id, patch: repairPatch }),
    answer: (data) => at(data, 'update', 'assetRepair'),
  },
});

export const postgraphilePhrases: Phrases = {
  request: phrases.request,
  answer: (operation, body) => withZones(phrases.answer(operation, body)),
};

function restPage(data: Json): Json {
  return {
    data: at(data, 'page', 'data'),
    has_more: at(data, 'page', 'pageInfo', 'has_more'),
    total: at(data, 'page', 'total'),
  };
}

/** PostGraphile writes timestamps without zone and without trailing zeros. */
function withZones(value: Json): Json {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map(withZones);
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => {
      const isInstant = /^(created|updated)(_a|A)t$/.test(key) && typeof entry === 'string';
      return [key, isInstant ? new Date(`${entry}Z`).toISOString() : withZones(entry)];
    }),
  );
}
