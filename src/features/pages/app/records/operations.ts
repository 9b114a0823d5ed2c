/** The operations with which the pages read and change records, made from what is known of the types. */
import { type About, type FieldAbout, listsOf, type TypeAbout } from '../../about.js';
import type { Operation } from '../api/graphql.js';

/**
 * An operation of one field. Only the variables that are given are declared, so that its text is short to read: of others there is
 * no more than their type here.
 */
function operationOf(
  head: string,
  field: string,
  types: Readonly<Record<string, string>>,
  variables: Readonly<Record<string, unknown>>,
  selection: string,
): Operation {
  const given = Object.entries(types).filter(([name]) => variables[name] !== undefined);
  const declared = given.map(([name, type]) => `$${name}: ${type}`).join(', ');
  const passed = given.map(([name]) => `${name}: $${name}`).join(', ');
  return {
    query: `${head}${declared && `(${declared})`} {
  ${field}${passed && `(${passed})`} {
    ${selection}
  }
}
`,
    variables: declared ? variables : undefined,
  };
}

/** A first look at the records of a type, for GraphiQL. */
export function firstLook(type: TypeAbout, about: About): Operation {
  if (type.kind === 'singleton') return recordOperation(type, '', about);
  const columns = type.fields.filter(({ name, isState }) => isState || type.listed.includes(name));
  return listOperation(type, type.kind === 'child' ? { parentId: '' } : { first: 10 }, columns);
}

/**
 * A page of the records of a type, with what names each, these columns, and the currencies of their amounts. With `after` it says
 * where the next page begins, in place of how many there are.
 */
export function listOperation(
  type: TypeAbout,
  variables: Readonly<Record<string, unknown>>,
  columns: readonly FieldAbout[],
): Operation {
  const { model } = type;
  const types = {
    ...{ parentId: 'ID!', search: 'String', first: 'Int', offset: 'Int', after: 'String' },
    ...{ where: `${model}Filter`, orderBy: `[${model}Sort!]` },
  };
  const paging = 'after' in variables ? 'pageInfo { hasNextPage endCursor }' : 'totalCount';
  const nodes = `nodes { ${listedFields(type, columns).join(' ')} }`;
  return operationOf(`query ${model}List`, type.many, types, variables, `${paging}\n    ${nodes}`);
}

/** The names of what a list reads of each record. */
export function listedFields(type: TypeAbout, columns: readonly FieldAbout[]): string[] {
  const fields = ['id', ...type.namedBy.flat(), ...columns.flatMap((field) => [field.name, ownCurrency(type, field)])];
  return [...new Set(fields)].filter((name) => name !== undefined);
}

/** The field of the record itself that holds the currency of an amount. Of a line it is that of its document, mostly. */
export const ownCurrency = ({ fields }: TypeAbout, { currency }: FieldAbout): string | undefined =>
  fields.some(({ name }) => name === currency) ? currency : undefined;

/**
 * What the numbers of these columns add up to, over all of a list and not its page. Amounts are added up by their currency; all
 * are in the same field of it.
 */
export function totalsOperation(type: TypeAbout, where: object | undefined, columns: readonly FieldAbout[]): Operation {
  const currency = columns.flatMap((field) => ownCurrency(type, field) ?? [])[0];
  const key = type.fields.find(({ name }) => name === currency)?.restName.toUpperCase();
  const sums = (own: string | undefined) =>
    columns.flatMap((field) => (ownCurrency(type, field) === own ? `${field.name} { sum }` : [])).join(' ');
  const filter = where ? 'where: $where' : '';
  const plain = sums(undefined);
  return {
    query: `query ${type.model}Totals${where ? `($where: ${type.model}Filter)` : ''} {
${plain && `  all: ${type.aggregate}${filter && `(${filter})`} { ${plain} }\n`}${
  key
    ? `  byCurrency: ${type.aggregate}(${filter} groupBy: [{ field: ${key} }]) {
    groups { currency: ${currency} { key } ${sums(currency)} }
  }\n`
    : ''
}}
`,
    variables: where && { where },
  };
}

/** Follows which records of a list change; `after` is where an earlier stream has ended. */
export const changesOperation = (
  { model, subscription }: TypeAbout,
  where: object | undefined,
  after: string | undefined,
): Operation =>
  operationOf(
    `subscription ${model}Changes`,
    subscription,
    { after: 'String', where: `${model}Filter` },
    { after, where },
    'position notice action recordId leftId',
  );

/** A whole record with its lines. */
export function recordOperation(type: TypeAbout, id: string, about: About): Operation {
  const variables = type.kind === 'singleton' ? {} : { id };
  const parts = ['id', wholeOf(type), 'actions { action allowed reason }', ...linesOf(type, about, 'id')];
  return operationOf(`query ${type.model}`, type.one, { id: 'ID!' }, variables, parts.join('\n    '));
}

/** A whole record with its lines as it once was, by the id of that state. Also of a record that is deleted. */
export function stateOperation(type: TypeAbout, id: string, about: About): Operation {
  const parts = ['id: recordId', wholeOf(type), ...linesOf(type, about, 'id: recordId')].join('\n      ');
  return operationOf('query', 'node', { id: 'ID!' }, { id }, `... on ${type.model} {\n      ${parts}\n    }`);
}

const wholeOf = (type: TypeAbout): string =>
  [...namesOf(type), type.kind !== 'child' && 'createdAt updatedAt', 'version displayTitle'].filter(Boolean).join(' ');

const linesOf = (type: TypeAbout, about: About, id: string): string[] =>
  listsOf(type, about).map(({ own, field }) => `${field} { ${id} ${namesOf(own).join(' ')} }`);

/** Saves a record with its lines, or updates a line. */
export function saveOperation(type: TypeAbout, variables: Record<string, unknown>): Operation {
  const saves = canSave(type);
  const verb = saves ? 'Save' : 'Update';
  const changes = saves ? '\n    changes { fields lines { list created updated moved deleted } }' : '';
  const types = { id: 'ID!', input: `${verb}${type.model}Input!`, expectedVersion: 'Int', validateOnly: 'Boolean!' };
  const field = `${verb.toLowerCase()}${type.model}`;
  return operationOf(`mutation ${verb}${type.model}`, field, types, variables, `record { id version }${changes}`);
}

/** Makes a record with its lines. */
export const createOperation = ({ model }: TypeAbout, input: Record<string, unknown>): Operation =>
  operationOf(
    `mutation Create${model}`,
    `create${model}`,
    { input: `Create${model}Input!` },
    { input },
    'record { id version }',
  );

/** Acts on many records, or tries to. */
export function manyOperation({ model, mutations }: TypeAbout, variables: Record<string, unknown>): Operation {
  const types = {
    ...{ ids: '[ID!]', where: `${model}Filter`, action: 'RecordAction!', input: `Update${model}Input` },
    ...{ validateOnly: 'Boolean!', after: 'ID' },
  };
  const field = `many: ${mutations.find((name) => name.startsWith('actOnMany'))}`;
  const selection = 'results { recordId done userErrors { message } } moreAfter userErrors { message }';
  return operationOf('mutation', field, types, variables, selection);
}

/** Whether a record is saved with its lines, and can be tried first: all but lines. */
export const canSave = ({ model, mutations }: TypeAbout): boolean => mutations.includes(`save${model}`);

const namesOf = ({ fields }: TypeAbout): string[] => fields.map(({ name }) => name);
