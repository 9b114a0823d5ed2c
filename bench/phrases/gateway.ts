import type { Operation } from '../workloads.js';
import { ownSelection } from './fields.js';
import { newLines, newRepair, repairPatch, restBody } from './inputs.js';
import { graphqlPhrases, type HttpRequest, type Phrases, type Subject } from './phrases.js';

const lines = `consumedItems { ${ownSelection('AssetRepairConsumedItem')} }
  purchaseInvoices { ${ownSelection('AssetRepairPurchaseInvoice')} }`;
const repair = `${ownSelection('AssetRepair')} ${lines}`;

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
    query: `mutation ($input: CreateAssetRepairInput!) { createAssetRepair(input: $input) { ${repair} } }`,
    variables: () => ({ input: { ...newRepair, ...newLines } }),
  },
});

export const repairBase = '/api/assets/asset-repair';

/** Requests of the REST interface, which the floor serves too. */
export const rest: Partial<Record<Operation, (subject: Subject) => HttpRequest>> = {
  retrieve: ({ id }) => ({ method: 'GET', path: `${repairBase}/${id}` }),
  page: () => ({ method: 'GET', path: repairBase }),
  farPage: ({ offset }) => ({ method: 'GET', path: `${repairBase}?offset=${offset}` }),
  quotations: () => ({ method: 'GET', path: '/api/crm/quotation' }),
  create: () => ({ method: 'POST', path: repairBase, body: restBody(newRepair) }),
  update: ({ id }) => ({ method: 'PATCH', path: `${repairBase}/${id}`, body: restBody(repairPatch) }),
};

export const gatewayPhrases: Phrases = {
  request: (operation, subject) => rest[operation]?.(subject) ?? graphql.request(operation, subject),
  answer: (operation, body) => (rest[operation] ? body : graphql.answer(operation, body)),
};
