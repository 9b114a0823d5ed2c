import type { Operation } from '../workloads.js';
import { ownSelection } from './fields.js';
import {
  changedLine,
  linePatch,
  newLines,
  newOrder,
  newRepair,
  newRepairs,
  repairPatch,
  restBody,
  savedRepair,
} from './inputs.js';
import { at, graphqlPhrases, type HttpRequest, type Json, type Phrases, type Subject } from './phrases.js';

const lines = `consumedItems { ${ownSelection('AssetRepairConsumedItem')} }
  purchaseInvoices { ${ownSelection('AssetRepairPurchaseInvoice')} }`;
const repair = `${ownSelection('AssetRepair')} ${lines}`;
const item = `${ownSelection('AssetRepairConsumedItem')} version`;

/** The record or records as other systems answer them, without the payload around them. */
function withoutPayload(field: string, written = 'record'): (data: Json) => Json {
  return (data) => ({ [field]: at(data, field, written) });
}

const graphql = graphqlPhrases({
  withLines: {
    query: `query ($id: ID!) { assetRepair(id: $id) { ${repair} } }`,
    variables: ({ id }) => ({ id }),
  },
  pageWithLines: { query: `{ assetRepairs(first: 20) { nodes { ${repair} } } }` },
  cursorPage: {
    query: `query ($after: String) { assetRepairs(first: 20, after: $after) {
      nodes { ${ownSelection('AssetRepair')} } pageInfo { hasNextPage endCursor }
    } }`,
    variables: ({ cursor }) => ({ after: cursor }),
  },
  createWithLines: {
    query: `mutation ($input: CreateAssetRepairInput!) { createAssetRepair(input: $input) { record { ${repair} } } }`,
    variables: () => ({ input: { ...newRepair, ...newLines } }),
    answer: withoutPayload('createAssetRepair'),
  },
  deleteWithLines: {
    query: 'mutation ($id: ID!) { deleteAssetRepair(id: $id) { deletedId deleted } }',
    variables: ({ id }) => ({ id }),
  },
  updateLine: {
    query: `mutation ($id: ID!, $input: UpdateAssetRepairConsumedItemInput!) {
      updateAssetRepairConsumedItem(id: $id, input: $input) { record { ${item} assetRepair { id version } } }
    }`,
    variables: (subject) => ({ id: changedLine(subject), input: linePatch(subject) }),
    answer: withoutPayload('updateAssetRepairConsumedItem'),
  },
  reorder: {
    query: `mutation ($parentId: ID!, $ids: [ID!]!) {
      reorderAssetRepairConsumedItems(parentId: $parentId, ids: $ids) { records { ${item} } }
    }`,
    variables: (subject) => ({ parentId: subject.id, ids: newOrder(subject) }),
    answer: withoutPayload('reorderAssetRepairConsumedItems', 'records'),
  },
  save: {
    query: `mutation ($id: ID!, $input: SaveAssetRepairInput!) {
      saveAssetRepair(id: $id, input: $input) {
        record { ${ownSelection('AssetRepair')} version consumedItems { ${item} } }
      }
    }`,
    variables: (subject) => ({ id: subject.id, input: savedRepair(subject) }),
  },
  createMany: {
    query: `mutation ($inputs: [CreateAssetRepairInput!]!) {
      createManyAssetRepairs(inputs: $inputs) { records { ${ownSelection('AssetRepair')} version } }
    }`,
    variables: () => ({ inputs: newRepairs }),
    answer: withoutPayload('createManyAssetRepairs', 'records'),
  },
  stored: {
    query: `query ($id: ID!) { assetRepair(id: $id) {
      ${ownSelection('AssetRepair')} version consumedItems { ${item} }
      purchaseInvoices { ${ownSelection('AssetRepairPurchaseInvoice')} version }
    } }`,
    variables: ({ id }) => ({ id }),
  },
});

export const repairBase = '/api/assets/asset-repair';

/** Requests of the REST interface, which the floor serves too. */
export const rest: Partial<Record<Operation, (subject: Subject) => HttpRequest>> = {
  retrieve: ({ id }) => ({ method: 'GET', path: `${repairBase}/${id}` }),
  page: () => ({ method: 'GET', path: repairBase }),
  farPage: ({ offset }) => ({ method: 'GET', path: `${repairBase}?offset=${offset}` }),
  middlePage: ({ middle }) => ({ method: 'GET', path: `${repairBase}?offset=${middle}` }),
  quotations: () => ({ method: 'GET', path: '/api/crm/quotation' }),
  create: () => ({ method: 'POST', path: repairBase, body: restBody(newRepair) }),
  update: (subject) => ({
    method: 'PATCH',
    path: `${repairBase}/${subject.id}`,
    body: restBody(repairPatch(subject)),
  }),
  delete: ({ id }) => ({ method: 'DELETE', path: `${repairBase}/${id}` }),
};

export const gatewayPhrases: Phrases = {
  has: (operation) => rest[operation] !== undefined || graphql.has(operation),
  request: (operation, subject) => rest[operation]?.(subject) ?? graphql.request(operation, subject),
  answer: (operation, body) => (rest[operation] ? body : graphql.answer(operation, body)),
};
