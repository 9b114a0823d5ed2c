/** Records of every type with values in every field, and the kinds of write that a type has, derived from the resources. */
import fc from 'fast-check';
import { expect } from 'vitest';
import { isFromPlace } from '../../src/graphql/inputs/inputs.js';
import type { Lines, Resource } from '../../src/model/resource.js';
import { inputOf } from '../compiled/random-record.js';
import { ask } from '../graphql/ask.js';
import type { Answer, TestGateway } from '../support/gateway.js';
import { resources } from '../support/resources.js';
import { seed } from '../support/seed.js';
import { thorough } from '../support/thorough.js';

/** One type of each form: with a status, with lines, as a line of what. A thorough run has all. */
export const typesOfEachForm = thorough
  ? resources
  : [...grouped(resources, formOf).values()].flatMap(([one]) => one ?? []);

function formOf({ kind, documentLike, lines, parents, scope }: Resource): string {
  const of = parents.map(({ resource }) => [resource.kind, resource.documentLike]);
  return JSON.stringify([kind, documentLike, lines.length > 0, scope === 'parentId', of]);
}

function grouped<Item>(items: readonly Item[], by: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) groups.set(by(item), [...(groups.get(by(item)) ?? []), item]);
  return groups;
}

type Values = Record<string, unknown>;

interface Row {
  id: string;
  version: number;
  /** Its fields, by their names in GraphQL. */
  values: Values;
}

/** A record with two lines in each list; or a line with another one beside it. */
export interface Made extends Row {
  resource: Resource;
  lists: { lines: Lines; rows: Row[] }[];
  /** For a line that is held with its parent, the parent. */
  parent?: Made;
  /** For a line, all of its parent, in their order. */
  siblings: Row[];
}

export type Call =
  | { query: string; variables: Values }
  | { method: string; path: string; body?: Values; headers?: Record<string, string> };

export const send = (gateway: Pick<TestGateway, 'rest' | 'graphql'>, call: Call): Promise<Answer> =>
  'query' in call
    ? gateway.graphql(call.query, call.variables)
    : gateway.rest(call.method, call.path, call.body, call.headers);

let parents = 0;

/** Makes a record of the type; the only one of its type gets new values. */
export async function make(gateway: TestGateway, resource: Resource): Promise<Made> {
  const [parent] = resource.parents;
  if (parent) {
    const made = await make(gateway, parent.resource);
    const rows = made.lists.find(({ lines }) => lines.resource === resource)?.rows ?? [];
    return { ...(rows[0] ?? expect.fail('no lines')), resource, lists: [], parent: made, siblings: rows };
  }
  if (resource.kind === 'child') {
    const place = { parentId: `elsewhere-${++parents}`, parentType: 'Sales Invoice' };
    const inputs = sampled(resource, 2).map(({ idx, ...values }) => ({ ...values, ...place }));
    const rows: Row[] = [];
    for (const input of inputs) rows.push(rowOf(resource, await written(gateway, resource, 'create', input)));
    return { ...(rows[0] ?? expect.fail('no lines')), resource, lists: [], siblings: rows };
  }
  const lines = resource.lines.map((list) => [list.field, sampled(list.resource, 2)]);
  // The only record of its type is there before, and may refuse to have a text taken away.
  const isThere = resource.kind === 'singleton';
  const texts = resource.fields.flatMap(({ name, type }) => (type === 'String' ? [[name, 'set']] : []));
  const own = { ...sampled(resource, 1)[0], ...Object.fromEntries(isThere ? texts : []) };
  const input = { ...own, ...Object.fromEntries(lines) };
  return madeOf(resource, await written(gateway, resource, isThere ? 'save' : 'create', input));
}

/** Inputs of these records without lines. Of a line in a list, its place is not given. */
const sampled = (resource: Resource, count: number): Values[] =>
  fc.sample(inputOf(resource), { seed, numRuns: count }).map((input) => {
    const own = resource.fields.filter(({ name }) => name in input && !isFromPlace(resource, name));
    return Object.fromEntries(own.map(({ name }) => [name, Object.entries(input).find(([key]) => key === name)?.[1]]));
  });

async function written(gateway: TestGateway, resource: Resource, verb: 'create' | 'save', input: Values) {
  const { model } = resource;
  const mutation = `mutation ($input: ${verb === 'save' ? 'Save' : 'Create'}${model}Input!) {
    made: ${verb}${model}(input: $input) { record { ${shown(resource)} } }
  }`;
  return (await ask(gateway, mutation, { input })).made.record;
}

const shown = ({ fields, lines }: Resource): string =>
  [
    'id version',
    ...fields.map(({ name }) => name),
    ...lines.map((list) => `${list.field} { ${shown(list.resource)} }`),
  ].join(' ');

const rowOf = ({ fields }: Resource, record: Values): Row => ({
  id: String(record.id),
  version: Number(record.version),
  values: Object.fromEntries(fields.map(({ name }) => [name, record[name]])),
});

const madeOf = (resource: Resource, record: Record<string, Values[]> & Values): Made => ({
  ...rowOf(resource, record),
  resource,
  lists: resource.lines.map((lines) => ({
    lines,
    rows: (record[lines.field] ?? []).map((row) => rowOf(lines.resource, row)),
  })),
  siblings: [],
});

/** What a write sets: nothing else than there is, or another value too; and the version that it expects. */
export interface Setting {
  isOther: boolean;
  version?: number;
}

type Kind = (made: Made, setting: Setting) => Call | undefined;

/** Every kind of write that changes what is there. */
export const changes: Record<string, Kind> = {
  update: (made, { isOther, version }) => updating(made, { ...made.values, ...other(made, isOther) }, version),
  'update of little': (made, { isOther, version }) => updating(made, other(made, isOther), version),
  updateMany: ({ resource, id, values, ...made }, { isOther, version }) => {
    if (resource.kind !== 'resource') return undefined;
    const input = { ...values, ...other({ resource, values }, isOther) };
    return mutation(`updateMany${resource.plural}`, 'records { id }', {
      updates: [`[UpdateMany${resource.plural}Item!]!`, [{ id, input, expectedVersion: version ?? made.version }]],
    });
  },
  save: (made, { isOther, version }) =>
    made.resource.kind === 'child'
      ? undefined
      : saving(made, { ...made.values, ...other(made, isOther), ...linesOf(made) }, version),
  'save of little': (made, { isOther, version }) =>
    made.resource.kind === 'child' ? undefined : saving(made, other(made, isOther), version),
  'save of its parent': ({ parent, resource, id, values }, { isOther, version }) => {
    if (!parent) return undefined;
    const input = linesOf(parent, (line) => (line.id === id ? other({ resource, values }, isOther) : {}));
    return saving(parent, input, version);
  },
  reorder: ({ resource, siblings, values }, { isOther }) => {
    if (resource.kind !== 'child') return undefined;
    const ids = siblings.map((row) => row.id);
    return mutation(`reorder${resource.plural}`, 'records { id }', {
      parentId: ['ID!', values[resource.scope ?? '']],
      ids: ['[ID!]', isOther ? ids.reverse() : ids],
    });
  },
  'reorder over REST': ({ resource, siblings, values }, { isOther }) => {
    if (resource.kind !== 'child') return undefined;
    const ids = siblings.map((row) => row.id);
    const body = { parent_id: values[resource.scope ?? ''], ids: isOther ? ids.reverse() : ids };
    return { method: 'POST', path: `${resource.base}/reorder`, body };
  },
  PATCH: (made, { isOther, version }) => patching(made, { ...made.values, ...other(made, isOther) }, version),
  'PATCH of little': (made, { isOther, version }) => patching(made, other(made, isOther), version),
};

/** The last field that does not follow from the place, with another value. */
export function other({ resource, values }: Pick<Made, 'resource' | 'values'>, isOther = true): Values {
  const fixed = ['status', 'idx', 'parentType', resource.scope];
  const field = resource.fields.findLast(({ name }) => !fixed.includes(name));
  if (!isOther || !field) return {};
  const value = values[field.name];
  if (field.type === 'Boolean') return { [field.name]: value !== true };
  return { [field.name]: field.type === 'String' ? `${value ?? ''} another` : value === 12 ? 13 : 12 };
}

const updating = ({ resource, id }: Made, input: Values, version?: number): Call =>
  mutation(`update${resource.model}`, 'record { id }', {
    id: ['ID!', id],
    input: [`Update${resource.model}Input!`, input],
    expectedVersion: ['Int', version],
  });

/** The only record of its type needs no id. */
export const saving = ({ resource, id }: Made, input: Values, version?: number, validateOnly?: boolean): Call =>
  mutation(`save${resource.model}`, 'record { id }', {
    ...(resource.kind === 'singleton' ? {} : { id: ['ID!', id] }),
    input: [`Save${resource.model}Input!`, input],
    expectedVersion: ['Int', version],
    ...(validateOnly === undefined ? {} : { validateOnly: ['Boolean!', validateOnly] }),
  });

const patching = ({ resource, id }: Made, values: Values, version?: number): Call => ({
  method: 'PATCH',
  path: `${resource.base}/${id}`,
  body: restBody(resource, values),
  headers: version === undefined ? {} : { 'if-match': `"${version}"` },
});

/** The values by their names in REST. */
export const restBody = ({ fields }: Resource, values: Values): Values =>
  Object.fromEntries(
    fields.filter(({ name }) => name in values).map(({ name, restName }) => [restName, restValue(name, values)]),
  );

/** GraphQL writes statuses in capitals. */
const restValue = (name: string, values: Values): unknown =>
  name === 'status' && typeof values[name] === 'string' ? values[name].toLowerCase() : values[name];

export const pathOf = ({ base, kind }: Resource, id: string): string => (kind === 'singleton' ? base : `${base}/${id}`);

const linesOf = ({ lists }: Made, changed: (row: Row) => Values = () => ({})): Values =>
  Object.fromEntries(
    lists.map(({ lines: { field, resource }, rows }) => [
      field,
      rows.map((row) => {
        const own = Object.entries(row.values).filter(([name]) => !isFromPlace(resource, name));
        return { id: row.id, ...Object.fromEntries(own), ...changed(row) };
      }),
    ]),
  );

export function mutation(
  field: string,
  selection: string,
  given: Record<string, [type: string, value: unknown]>,
): Call {
  const present = Object.entries(given).filter(([, [, value]]) => value !== undefined);
  const declared = present.map(([name, [type]]) => `$${name}: ${type}`);
  const passed = present.map(([name]) => `${name}: $${name}`);
  return {
    query: `mutation (${declared}) { answer: ${field}(${passed}) { ${selection} } }`,
    variables: Object.fromEntries(present.map(([name, [, value]]) => [name, value])),
  };
}
