import { ownSelection, restSelection } from './fields.js';
import { changedLine, linePatch, newLines, newRepair, newRepairs, repairPatch } from './inputs.js';
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

const deletion = `mutation ($id: String!) {
  delete: deleteAssetRepairByRowId(input: { rowId: $id }) { assetRepair { id: rowId } }
}`;

const page = (name: string, fields: string) => `query ($offset: Int) {
  page: ${name}(first: 20, offset: $offset, orderBy: PRIMARY_KEY_DESC) {
    data: nodes { ${fields} } pageInfo { has_more: hasNextPage } total: totalCount
  }
}`;

const item = `${ownSelection('AssetRepairConsumedItem', columns)} version`;

/**
 * PostGraphile has no reorder and no save of a document with its lines. Both would be functions in PL/pgSQL that do all
 * the work, so that little of PostGraphile would be measured. Its creates of several records are such functions too,
 * but short.
 */
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
    variables: (subject) => ({ id: subject.id, patch: repairPatch(subject) }),
    answer: (data) => at(data, 'update', 'assetRepair'),
  },
  delete: {
    query: deletion,
    variables: ({ id }) => ({ id }),
    answer: (data) => ({ id: at(data, 'delete', 'assetRepair', 'id'), deleted: true }),
  },
  deleteWithLines: {
    query: deletion,
    variables: ({ id }) => ({ id }),
    answer: (data) => ({
      deleteAssetRepair: { deletedId: at(data, 'delete', 'assetRepair', 'id'), deleted: true },
    }),
  },
  updateLine: {
    query: `mutation ($id: String!, $patch: AssetRepairConsumedItemPatch!) {
      update: updateAssetRepairConsumedItemByRowId(input: { rowId: $id, assetRepairConsumedItemPatch: $patch }) {
        assetRepairConsumedItem { ${item} assetRepair: assetRepairByAssetRepairId { id: rowId version } }
      }
    }`,
    variables: (subject) => ({ id: changedLine(subject), patch: linePatch(subject) }),
    answer: (data) => ({ updateAssetRepairConsumedItem: at(data, 'update', 'assetRepairConsumedItem') }),
  },
  createMany: {
    query: `mutation ($repairs: JSON!) {
      create: createRepairs(input: { repairs: $repairs }) { result { ${ownSelection('AssetRepair', columns)} version } }
    }`,
    variables: () => ({ repairs: newRepairs }),
    answer: (data) => ({ createManyAssetRepairs: at(data, 'create', 'result') }),
  },
  stored: {
    query: `query ($id: String!) { assetRepair: assetRepairByRowId(rowId: $id) {
      ${ownSelection('AssetRepair', columns)} version
      consumedItems: assetRepairConsumedItemsByAssetRepairIdList(orderBy: IDX_ASC) { ${item} }
      purchaseInvoices: assetRepairPurchaseInvoicesByAssetRepairIdList(orderBy: IDX_ASC) {
        ${ownSelection('AssetRepairPurchaseInvoice', columns)} version
      }
    } }`,
    variables: ({ id }) => ({ id }),
  },
});

export const postgraphilePhrases: Phrases = {
  has: phrases.has,
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
