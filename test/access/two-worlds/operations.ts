/** Random operations over all ways to a record. Ids are written `«3»`, because each world gives its records ids of its own. */

import { enumName, snakeOf } from '../../../src/model/names.js';
import type { Resource } from '../../../src/model/resource.js';
import { resources } from '../../support/resources.js';
import type { Random } from './random.js';
import { inputs, type Model, words } from './records.js';

export type Asked =
  | { query: string; variables: Record<string, unknown>; headers?: Record<string, string> }
  | { method: string; path: string; body?: unknown; headers?: Record<string, string> };

/** The records that operations are about: tokens by type. */
export interface Known {
  of(model: string): readonly string[];
  any(): readonly string[];
}

const models = ['AssetRepair', 'SerialNo', 'JobCard', 'Timesheet', 'IndustryType', 'UOMCategory'] as const;
const lineModels = ['AssetRepairConsumedItem', 'TimesheetDetail', 'JobCardTimeLog', 'SalesInvoicePayment'] as const;

const resourceOf = (model: string): Resource => {
  const found = resources.find((each) => each.model === model);
  if (!found) throw new Error(model);
  return found;
};

/** Selects everything of a record, and of what it leads to. */
function selectionOf(random: Random, resource: Resource, depth: number): string {
  const columns = resource.fields.map(({ name }) => name);
  const parts = ['id', 'version', 'displayTitle', ...(random.chance(0.5) ? columns : random.some(columns, 6))];
  if (random.chance(0.3)) parts.push('actions { action allowed reason }');
  if (resource.documentLike && random.chance(0.3)) parts.push('allowedActions');
  if (resource.timestamps && random.chance(0.2)) parts.push('createdAt updatedAt');
  if (depth > 0) {
    for (const { field, resource: line } of resource.lines) {
      if (random.chance(0.6))
        parts.push(
          `${field}${random.chance(0.3) ? linesArguments(random, line) : ''} { ${selectionOf(random, line, 0)} }`,
        );
      if (random.chance(0.2))
        parts.push(
          `${field}Connection(first: 2) { totalCount edges { cursor node { ${selectionOf(random, line, 0)} } } pageInfo { hasNextPage endCursor } }`,
        );
    }
    for (const { field, resource: linked } of resource.links)
      if (random.chance(0.5)) parts.push(`${field} { ${selectionOf(random, linked, depth - 1)} }`);
    for (const { field, resource: naming } of resource.waysBack)
      if (isOurs(naming) && random.chance(0.4))
        parts.push(
          `${field}(first: 3) { totalCount nodes { ${selectionOf(random, naming, depth - 1)} } pageInfo { hasNextPage } }`,
        );
    for (const { field, resource: parent } of resource.parents)
      if (random.chance(0.4)) parts.push(`${field} { ${selectionOf(random, parent, 0)} }`);
  }
  return [...new Set(parts)].join(' ');
}

const isOurs = ({ model }: Resource) => [...models, ...lineModels].some((each) => each === model);

const linesArguments = (random: Random, line: Resource): string =>
  random.chance(0.5)
    ? `(where: ${literal(filterOf(random, line, 0))})`
    : `(limit: ${1 + random.below(3)}, offset: ${random.below(2)})`;

/** As GraphQL writes it. */
function literal(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  return `{ ${Object.entries(value)
    .map(([name, each]) => `${name}: ${literal(each)}`)
    .join(', ')} }`;
}

const vocabulary: Record<string, readonly unknown[]> = {
  ...words,
  idx: [1, 2],
  repairCost: [0, 1, 2],
  hours: [1, 2.5],
};

function filterOf(random: Random, resource: Resource, depth: number): Record<string, unknown> {
  if (depth > 0 && random.chance(0.25)) {
    const [one, other] = [filterOf(random, resource, depth - 1), filterOf(random, resource, depth - 1)];
    return random.one([{ and: [one, other] }, { or: [one, other] }, { not: one }]);
  }
  if (depth > 0 && random.chance(0.35)) {
    const [lines, link, parent] = [
      random.some(resource.lines, 1)[0],
      random.some(
        resource.links.filter((each) => isOurs(each.resource)),
        1,
      )[0],
      random.some(resource.parents, 1)[0],
    ];
    if (lines)
      return { [lines.field]: { [random.one(['some', 'every', 'none'])]: filterOf(random, lines.resource, 0) } };
    if (link) return { [link.field]: filterOf(random, link.resource, 0) };
    if (parent) return { [parent.field]: filterOf(random, parent.resource, 0) };
  }
  const candidates = resource.fields.filter(({ name, type }) => vocabulary[name] ?? type === 'Float');
  if (candidates.length === 0) return {};
  const field = random.one(candidates);
  const values = (vocabulary[field.name] ?? [0, 1, 2.5, 10]).filter((value) => value !== null);
  if (resource.documentLike && field.name === 'status') return {};
  const value = random.one(values);
  if (field.type !== 'String') return { [field.name]: { [random.one(['eq', 'gt', 'lte', 'ne'])]: value } };
  const nulls = field.nullable ? [{ isNull: random.chance(0.5) }] : [];
  return {
    [field.name]: random.one<object>([
      { eq: value },
      { ne: value },
      { in: random.some(values, 2) },
      { contains: String(value).slice(1, 3) },
      { startsWith: String(value).slice(0, 2) },
      { gte: value },
      ...nulls,
    ]),
  };
}

const orderOf = (random: Random, resource: Resource) =>
  random
    .some(resource.fields, 2)
    .map(({ name }) => ({ field: snakeOf(name).toUpperCase(), direction: random.one(['ASC', 'DESC']) }));

const connection = (nodes: string) =>
  `{ totalCount edges { cursor node { ${nodes} } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } }`;

type Make = (random: Random, known: Known) => Asked;

const anyId = (random: Random, known: Known, model: string): string =>
  random.chance(0.05)
    ? `${resourceOf(model).slug}_01hzzzzzzzzzzzzzzzzzzzzzzz`
    : (random.some(known.of(model), 3)[0] ?? random.one(known.any()));

const list: Make = (random) => {
  const resource = resourceOf(random.one([...models]));
  const paging = random.one(['', 'first: 3', 'first: 5, offset: 2', 'last: 3', 'first: 2, offset: 1200']);
  return {
    query: `query ($where: ${resource.model}Filter, $orderBy: [${resource.model}Sort!]) { ${resource.many}(where: $where, orderBy: $orderBy${paging && `, ${paging}`}) ${connection(selectionOf(random, resource, 2))} }`,
    variables: {
      ...(random.chance(0.6) ? { where: filterOf(random, resource, 2) } : {}),
      ...(random.chance(0.4) ? { orderBy: orderOf(random, resource) } : {}),
    },
  };
};

const plainList: Make = (random) => {
  const resource = resourceOf(random.one([...models]));
  const paging = random.one(['first: 3', 'first: 4, offset: 3', 'first: 1, offset: 1500', 'first: 20']);
  return { query: `{ ${resource.many}(${paging}) ${connection(selectionOf(random, resource, 1))} }`, variables: {} };
};

const one: Make = (random, known) => {
  const resource = resourceOf(random.one([...models, ...lineModels]));
  return {
    query: `query ($id: ID!) { ${resource.one}(id: $id) { ${selectionOf(random, resource, 2)} } }`,
    variables: { id: anyId(random, known, resource.model) },
  };
};

const fragments = (random: Random) =>
  random
    .some([...models, ...lineModels], 4)
    .map(
      (model) =>
        `... on ${model} { ${selectionOf(random, resourceOf(model), 1).replaceAll(/\b(status|description)\b/g, '')} }`,
    )
    .slice(0, 1)
    .join(' ');

const nodes: Make = (random, known) => ({
  query: `query ($ids: [ID!]!, $id: ID!) { nodes(ids: $ids) { __typename id ${fragments(random)} } node(id: $id) { id ... on BusinessRecord { version displayTitle actions { action allowed reason } } } }`,
  variables: { ids: random.some(known.any(), 6), id: random.one(known.any()) },
});

const entities: Make = (random, known) => {
  const model = random.one([...models]);
  return {
    query: `query ($representations: [_Any!]!) { _entities(representations: $representations) { __typename ... on ${model} { id version displayTitle } } }`,
    variables: { representations: random.some(known.of(model), 4).map((id) => ({ __typename: model, id })) },
  };
};

const lines: Make = (random, known) => {
  const resource = resourceOf(random.one([...lineModels]));
  const parent = resource.parents[0]?.resource.model;
  const parentId =
    parent && random.chance(0.7)
      ? anyId(random, known, parent)
      : random.one(['sinv-1', 'sinv-2', 'sinv-9', 'work-1', 'work-9']);
  return {
    query: `query ($parentId: ID!, $where: ${resource.model}Filter) { ${resource.many}(parentId: $parentId, where: $where, first: 3) ${connection(selectionOf(random, resource, 1))} }`,
    variables: { parentId, ...(random.chance(0.4) ? { where: filterOf(random, resource, 1) } : {}) },
  };
};

const aggregate: Make = (random) => {
  const resource = resourceOf(random.one(['AssetRepair', 'SerialNo', 'JobCard', 'Timesheet']));
  const numbers = resource.fields.filter(({ type }) => type === 'Float').map(({ name }) => name);
  const measured = numbers.length > 0 ? `${random.one(numbers)} { sum max }` : '';
  const key = random.one(resource.fields.filter(({ type }) => type === 'String')).name;
  return {
    query: `query ($where: ${resource.model}Filter, $by: [${resource.model}AggregateSort!]) { ${resource.one}Aggregate(where: $where, groupBy: $by, first: 5) { count ${measured} groups { count ${key} { key } ${measured} } hasMoreGroups } }`,
    variables: { where: filterOf(random, resource, 1), by: [{ field: snakeOf(key).toUpperCase() }] },
  };
};

const search: Make = (random) => {
  const text = random.one(['gear', 'worn', 'oil', 'lathe', 'sn', 'emp', 'oiled secret', 'belt broken']);
  return random.chance(0.5)
    ? {
        query: `query ($text: String!) { search(query: $text, first: 4) ${connection('id __typename ... on BusinessRecord { displayTitle }')} }`,
        variables: { text },
      }
    : {
        query: `query ($text: String) { ${random.one(['assetRepairs', 'serialNos', 'jobCards', 'timesheets'])}(search: $text, first: 3) ${connection('id version displayTitle')} }`,
        variables: { text },
      };
};

const preview: Make = (random, known) => ({
  query: `query ($id: ID!) { previewAction(id: $id, action: ${random.one(['SUBMIT', 'CANCEL', 'DELETE'])}, expectedVersion: ${random.one(['null', '1', '2'])}) { allowed reason changes { field from to } deletes { list count } } }`,
  variables: { id: random.one(known.any()) },
});

const explain: Make = (random, known) => {
  const model = random.one([...models, ...lineModels]);
  const action = random.one(['READ', 'UPDATE', 'SUBMIT', 'CANCEL', 'DELETE']);
  return {
    query: `query ($type: RecordType!, $id: ID!) { explainAccess(type: $type, id: $id, action: ${action}) { allowed reason missingScopes rules { role rule before after failed } } }`,
    variables: {
      type: enumName(model),
      id: random.chance(0.8) ? anyId(random, known, model) : random.one(known.any()),
    },
  };
};

const past: Make = (random, known) => {
  const resource = resourceOf(random.one(['AssetRepair', 'SerialNo', 'Timesheet']));
  const id = anyId(random, known, resource.model);
  return random.chance(0.5)
    ? {
        query: `query ($id: ID!) { ${resource.one}(id: $id) { id history(first: 5) { edges { cursor node { version action by { keyName } changes { path before after action recordId } } } pageInfo { hasNextPage hasPreviousPage } complete } } }`,
        variables: { id },
      }
    : {
        query: `query ($id: ID!, $asOf: DateTime!) { ${resource.one}(id: $id, asOf: $asOf) { ${selectionOf(random, resource, 1)} } }`,
        variables: { id, asOf: random.one(['2026-01-01T00:00:00Z', '«now»']) },
      };
};

const feed: Make = (random) => ({
  query: `{ changes(first: 10${random.chance(0.3) ? ', types: [ASSET_REPAIR, SERIAL_NO]' : ''}) { nodes { type action recordId version changes { path before after } } hasMore } }`,
  variables: {},
});

const viewer: Make = () => ({
  query: '{ viewer { scopes roles hidden: hiddenFields(type: ASSET_REPAIR) may(type: ASSET_REPAIR, action: SUBMIT) } }',
  variables: {},
});

// Writes.

const payload = (random: Random, resource: Resource) =>
  `{ record { ${selectionOf(random, resource, 1)} } userErrors { code path message currentVersion currentState } }`;

const inputOf = (random: Random, model: string): Record<string, unknown> =>
  model in inputs ? inputs[model as Model](random) : {};

const create: Make = (random, known) => {
  const resource = resourceOf(random.one([...models, ...lineModels]));
  const input = inputOf(random, resource.model);
  for (const { field, resource: line } of resource.lines)
    if (line.model in inputs && random.chance(0.4))
      input[field] = random.some([1, 2], 2).map(() => inputOf(random, line.model));
  const parent = resource.parents[0];
  if (parent) {
    if (resource.model === 'JobCardTimeLog')
      Object.assign(
        input,
        random.chance(0.5) ? { parentId: anyId(random, known, 'JobCard'), parentType: 'Job Card' } : {},
      );
    else input[parent.reference] = anyId(random, known, parent.resource.model);
    if (random.chance(0.3)) input.idx = 1;
  }
  for (const list of resource.lines) if (resource.model === 'JobCard') input[list.field] = undefined;
  if (random.chance(0.1))
    input[random.one(['actionsPerformed', 'purchaseRate', 'valuationRate'])] = random.one([null, 'x']);
  return {
    query: `mutation ($input: Create${resource.model}Input!) { create${resource.model}(input: $input) ${payload(random, resource)} }`,
    variables: { input },
  };
};

const update: Make = (random, known) => {
  const resource = resourceOf(random.one([...models, ...lineModels]));
  const { parentId, parentType, ...values } = inputOf(random, resource.model);
  const input: Record<string, unknown> = Object.fromEntries(random.some(Object.entries(values), 3));
  if (resource.kind === 'child' && random.chance(0.2)) input.idx = 1 + random.below(3);
  if (resource.documentLike && random.chance(0.15)) input.status = random.one(['SUBMITTED', 'CANCELLED', 'DRAFT']);
  if (random.chance(0.1))
    input[random.one(['actionsPerformed', 'totalRepairCost', 'purchaseRate'])] = random.one([null, 'x']);
  return {
    query: `mutation ($id: ID!, $input: Update${resource.model}Input!, $version: Int) { update${resource.model}(id: $id, input: $input, expectedVersion: $version) ${payload(random, resource)} }`,
    variables: {
      id: anyId(random, known, resource.model),
      input,
      ...(random.chance(0.3) ? { version: 1 + random.below(3) } : {}),
    },
  };
};

const save: Make = (random, known) => {
  const resource = resourceOf(random.one(['AssetRepair', 'Timesheet', 'SerialNo']));
  const input: Record<string, unknown> = Object.fromEntries(
    random.some(Object.entries(inputOf(random, resource.model)), 3),
  );
  for (const { field, resource: line } of resource.lines)
    if (line.model in inputs && random.chance(0.5))
      input[field] = [
        ...random.some(known.of(line.model), 1).map((id) => ({ id, ...inputOf(random, line.model) })),
        ...random.some([1], 1).map(() => inputOf(random, line.model)),
      ];
  return {
    query: `mutation ($id: ID!, $input: Save${resource.model}Input!, $version: Int) { save${resource.model}(id: $id, input: $input, expectedVersion: $version${random.chance(0.3) ? ', validateOnly: true' : ''}) { record { ${selectionOf(random, resource, 1)} } changes { fields lines { list created updated deleted } } userErrors { code path message currentVersion } } }`,
    variables: {
      id: anyId(random, known, resource.model),
      input,
      ...(random.chance(0.3) ? { version: 1 + random.below(3) } : {}),
    },
  };
};

const move: Make = (random, known) => {
  const resource = resourceOf(random.one(['AssetRepair', 'JobCard', 'Timesheet']));
  return {
    query: `mutation ($id: ID!) { ${random.one(['submit', 'cancel'])}${resource.model}(id: $id) ${payload(random, resource)} }`,
    variables: { id: anyId(random, known, resource.model) },
  };
};

const remove: Make = (random, known) => {
  const resource = resourceOf(random.one([...models, ...lineModels]));
  return {
    query: `mutation ($id: ID!, $version: Int) { delete${resource.model}(id: $id, expectedVersion: $version) { deletedId userErrors { code path message currentVersion } } }`,
    variables: { id: anyId(random, known, resource.model), ...(random.chance(0.6) ? { version: 9 } : {}) },
  };
};

const reorder: Make = (random, known) => {
  const [model, parents]: [string, readonly string[]] = random.one([
    ['AssetRepairConsumedItem', known.of('AssetRepair')],
    ['SalesInvoicePayment', ['sinv-1', 'sinv-2', 'sinv-9']],
  ]);
  const { plural } = resourceOf(model);
  return {
    query: `mutation ($parentId: ID!, $ids: [ID!]) { reorder${plural}(parentId: $parentId, ids: $ids) { records { id idx } userErrors { code path message } } }`,
    variables: {
      parentId: random.one(parents),
      ...(random.chance(0.6) ? { ids: random.some(known.of(model), 3) } : {}),
    },
  };
};

/** The same with many records, each by itself. */
function each(random: Random, known: Known, resource: Resource): Asked {
  const action = random.one(resource.documentLike ? ['SUBMIT', 'CANCEL', 'UPDATE', 'DELETE'] : ['UPDATE', 'DELETE']);
  const isTried = action === 'DELETE' ? random.chance(0.8) : random.chance(0.3);
  const input = Object.fromEntries(random.some(Object.entries(inputOf(random, resource.model)), 2));
  if (random.chance(0.1)) input[random.one(['actionsPerformed', 'purchaseRate'])] = random.one([null, 'x']);
  return {
    query: `mutation ($ids: [ID!], $where: ${resource.model}Filter, $input: Update${resource.model}Input, $after: ID) { actOnMany${resource.plural}(ids: $ids, where: $where, input: $input, after: $after, action: ${action}, validateOnly: ${isTried}) { matching moreAfter results { recordId done version userErrors { code path message currentState } } userErrors { code path message } } }`,
    variables: {
      ...(random.chance(0.5)
        ? { ids: [...new Set([...random.some(known.of(resource.model), 4), random.one(known.any())])] }
        : { where: filterOf(random, resource, 2) }),
      ...(action === 'UPDATE' ? { input } : {}),
      ...(random.chance(0.2) ? { after: anyId(random, known, resource.model) } : {}),
    },
  };
}

const many: Make = (random, known) => {
  const resource = resourceOf(random.one(['AssetRepair', 'SerialNo', 'Timesheet']));
  const ids = random.some(known.of(resource.model), 3);
  if (random.chance(0.5)) return each(random, known, resource);
  if (random.chance(0.4))
    return {
      query: `mutation ($ids: [ID!]!) { deleteMany${resource.plural}(ids: $ids) { deletedIds userErrors { code path message currentVersion } } }`,
      variables: { ids: [...ids, random.one(known.any())] },
    };
  return {
    query: `mutation ($updates: [UpdateMany${resource.plural}Item!]!) { updateMany${resource.plural}(updates: $updates) { records { id version } userErrors { code path message currentVersion currentState } } }`,
    variables: {
      updates: ids.map((id) => ({
        id,
        input: Object.fromEntries(random.some(Object.entries(inputOf(random, resource.model)), 2)),
        ...(random.chance(0.3) ? { expectedVersion: 1 } : {}),
      })),
    },
  };
};

/** By somebody who sees everything: records leave the sight of the caller and come into it, and hidden fields change. */
const administer: Make = (random, known) => {
  const resource = resourceOf(random.one(['AssetRepair', 'SerialNo', 'Timesheet', 'JobCard']));
  const input = random.one([
    { company: random.one(['ACME', 'Umbrella']) },
    { company: 'ACME' },
    inputOf(random, resource.model),
    ...(resource.model === 'AssetRepair' ? [{ actionsPerformed: 'greased', totalRepairCost: random.below(9) }] : []),
  ]);
  return {
    query: `mutation ($id: ID!, $input: Update${resource.model}Input!) { update${resource.model}(id: $id, input: $input) { record { id } userErrors { code } } }`,
    variables: { id: anyId(random, known, resource.model), input },
  };
};

// REST.

const restRead: Make = (random, known) => {
  const resource = resourceOf(random.one([...models, ...lineModels]));
  if (resource.kind === 'child' || random.chance(0.4)) {
    const parent = resource.parents[0]?.resource.model;
    const under =
      resource.kind === 'child'
        ? `?parent_id=${parent ? anyId(random, known, parent) : 'sinv-1'}`
        : `?limit=${1 + random.below(5)}&offset=${random.below(3)}`;
    return { method: 'GET', path: `${resource.base}${under}` };
  }
  const headers: Record<string, string> = random.chance(0.2) ? { 'if-none-match': '"1"' } : {};
  return {
    method: 'GET',
    path: `${resource.base}/${anyId(random, known, resource.model)}`,
    headers,
  };
};

const restPast: Make = (random, known) => {
  const resource = resourceOf(random.one([...models]));
  return { method: 'GET', path: `${resource.base}/${anyId(random, known, resource.model)}/history` };
};

const restWrite: Make = (random, known) => {
  const resource = resourceOf(random.one([...models]));
  const id = anyId(random, known, resource.model);
  const values = Object.entries(inputOf(random, resource.model)).map(
    ([name, value]) => [snakeOf(name), value] as const,
  );
  const headers = {
    ...(random.chance(0.3) ? { 'if-match': `"${1 + random.below(3)}"` } : {}),
    ...(random.chance(0.2) ? { 'idempotency-key': `key-${random.below(20)}` } : {}),
  };
  if (random.chance(0.4))
    return {
      method: 'POST',
      path: resource.base,
      body: Object.fromEntries(values),
      headers: { ...headers, 'if-match': '' },
    };
  if (resource.documentLike && random.chance(0.3))
    return { method: 'POST', path: `${resource.base}/${id}/${random.one(['submit', 'cancel'])}`, headers };
  if (random.chance(0.2)) return { method: 'DELETE', path: `${resource.base}/${id}`, headers };
  const body = Object.fromEntries(random.some(values, 3));
  if (random.chance(0.2)) body.actions_performed = random.one([null, 'x']);
  return { method: 'PATCH', path: `${resource.base}/${id}`, body, headers };
};

const makers: Record<string, Make> = {
  list,
  plainList,
  one,
  nodes,
  entities,
  lines,
  aggregate,
  search,
  preview,
  explain,
  past,
  feed,
  viewer,
  create,
  update,
  save,
  move,
  remove,
  reorder,
  many,
  administer,
  restRead,
  restPast,
  restWrite,
};

export const kinds: readonly string[] = Object.keys(makers);

/** An operation of one of these kinds. */
export function operation(random: Random, known: Known, only: readonly string[]): { kind: string; asked: Asked } {
  const kind = random.one(only);
  const make = makers[kind];
  if (!make) throw new Error(`There is no kind ${kind}`);
  return { kind, asked: make(random, known) };
}
