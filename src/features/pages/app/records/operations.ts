/** The operations with which the pages read and change records, made from what is known of the types. */
import { type About, type FieldAbout, type TypeAbout, typeCalled } from '../../about.js';
import type { Operation } from '../api/graphql.js';

/** What a first look reads of each record: what names it, and its columns. */
const listedNames = ({ hasStates, namedBy, listed }: TypeAbout): string[] => [
  ...(hasStates ? ['status'] : []),
  ...new Set([...namedBy.flat(), ...listed]),
];

/** A first look at the records of a type, for GraphiQL. */
export function readQuery(type: TypeAbout): Operation {
  const own = listedNames(type).join(' ');
  const lines = type.lines.map(({ field }) => ` ${field} { id }`).join('');
  if (type.kind === 'singleton') return { query: `query ${type.model} {\n  ${type.one} { id ${own}${lines} }\n}\n` };
  if (type.kind === 'child') {
    return {
      query: `query ${type.model}Lines($parentId: ID!) {\n  ${type.many}(parentId: $parentId) {\n    totalCount\n    nodes { id idx ${own} }\n  }\n}\n`,
      variables: { parentId: '' },
    };
  }
  return {
    query: `query ${type.model}List {\n  ${type.many}(first: 10) {\n    totalCount\n    nodes { id ${own}${lines} }\n  }\n}\n`,
  };
}

/**
 * A page of the records of a type, with what names each, these columns, and the currencies of their amounts. Only the variables
 * that are given are declared, so the text is short to read. With `after` it says where the next page begins, in place of how many there are.
 */
export function listOperation(
  type: TypeAbout,
  variables: Readonly<Record<string, unknown>>,
  columns: readonly FieldAbout[],
): Operation {
  const types = {
    parentId: 'ID!',
    search: 'String',
    first: 'Int',
    offset: 'Int',
    after: 'String',
    where: `${type.model}Filter`,
    orderBy: `[${type.model}Sort!]`,
  };
  const given = Object.entries(types).filter(([name]) => variables[name] !== undefined);
  const declared = given.map(([name, type]) => `$${name}: ${type}`).join(', ');
  const passed = given.map(([name]) => `${name}: $${name}`).join(', ');
  return {
    query: `query ${type.model}List(${declared}) {
  ${type.many}(${passed}) {
    ${'after' in variables ? 'pageInfo { hasNextPage endCursor }' : 'totalCount'}
    nodes { ${listedFields(type, columns).join(' ')} }
  }
}
`,
    variables,
  };
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
export function changesOperation(type: TypeAbout, where: object | undefined, after: string | undefined): Operation {
  const passed = `${where ? 'where: $where, ' : ''}after: $after`;
  return {
    query: `subscription ${type.model}Changes($after: String${where ? `, $where: ${type.model}Filter` : ''}) {
  ${type.subscription}(${passed}) { position notice action recordId leftId }
}
`,
    variables: { after, where },
  };
}

/** A whole record with its lines. */
export function recordOperation(type: TypeAbout, id: string, about: About): Operation {
  const isOne = type.kind === 'singleton';
  return {
    query: `query ${type.model}${isOne ? '' : '($id: ID!)'} {
  ${type.one}${isOne ? '' : '(id: $id)'} {
    id ${wholeOf(type)}
    actions { action allowed reason }
${linesOf(type, about, 'id')}  }
}
`,
    variables: isOne ? undefined : { id },
  };
}

/** A whole record with its lines as it once was, by the id of that state. Also of a record that is deleted. */
export const stateOperation = (type: TypeAbout, id: string, about: About): Operation => ({
  query: `query ($id: ID!) {
  node(id: $id) {
    ... on ${type.model} {
      id: recordId ${wholeOf(type)}
${linesOf(type, about, 'id: recordId')}    }
  }
}
`,
  variables: { id },
});

const wholeOf = (type: TypeAbout): string =>
  [...namesOf(type), isKept(type) && 'createdAt updatedAt', 'version displayTitle'].filter(Boolean).join(' ');

const linesOf = (type: TypeAbout, about: About, id: string): string =>
  type.lines
    .map(({ model, field }) => {
      const line = typeCalled(about, model);
      return `    ${field} { ${id} ${line ? namesOf(line).join(' ') : ''} }\n`;
    })
    .join('');

/** Saves a record with its lines, or updates a line. */
export function saveOperation(type: TypeAbout, variables: Record<string, unknown>): Operation {
  const { model } = type;
  const saves = canSave(type);
  const verb = saves ? 'Save' : 'Update';
  const input = `${verb}${model}Input`;
  const changes = saves ? '\n    changes { fields lines { list created updated moved deleted } }' : '';
  const tries = 'validateOnly' in variables;
  const field = `${verb.toLowerCase()}${model}`;
  return {
    query: `mutation ${verb}${model}($id: ID!, $input: ${input}!, $expectedVersion: Int${tries ? ', $validateOnly: Boolean!' : ''}) {
  ${field}(id: $id, input: $input, expectedVersion: $expectedVersion${tries ? ', validateOnly: $validateOnly' : ''}) {
    record { id version }${changes}
  }
}
`,
    variables,
  };
}

/** Makes a record with its lines. */
export function createOperation({ model }: TypeAbout, input: Record<string, unknown>): Operation {
  return {
    query: `mutation Create${model}($input: Create${model}Input!) {
  create${model}(input: $input) {
    record { id version }
  }
}
`,
    variables: { input },
  };
}

/** Whether records of a type can be made: not the only one of its type. */
export const canCreate = ({ model, mutations }: TypeAbout): boolean => mutations.includes(`create${model}`);

/** Whether a record is saved with its lines, and can be tried first: all but lines. */
export const canSave = ({ model, mutations }: TypeAbout): boolean => mutations.includes(`save${model}`);

/** Whether a record says when it was made and changed: all but lines. */
const isKept = ({ kind }: TypeAbout): boolean => kind !== 'child';

const namesOf = ({ fields }: TypeAbout): string[] => fields.map(({ name }) => name);
