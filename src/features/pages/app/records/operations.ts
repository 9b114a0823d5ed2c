/** The operations with which the pages read and change records, made from what is known of the types. */
import { type About, type FieldAbout, type TypeAbout, typeCalled } from '../../about.js';
import type { Operation } from '../api/graphql.js';

/** The fields that a list shows after the name of a record. */
export const columnsOf = ({ fields, listed }: TypeAbout): FieldAbout[] =>
  listed.flatMap((name) => fields.find((field) => field.name === name) ?? []);

/** What a list reads of each record: what names it, and its columns. */
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

/** A page of the records of a type. Only the variables that are given are declared, so the text is short to read. */
export function listOperation(type: TypeAbout, variables: Readonly<Record<string, unknown>>): Operation {
  const types = {
    parentId: 'ID!',
    first: 'Int',
    last: 'Int',
    after: 'String',
    before: 'String',
    where: `${type.model}Filter`,
    orderBy: `[${type.model}Sort!]`,
  };
  const given = Object.entries(types).filter(([name]) => variables[name] !== undefined);
  const declared = given.map(([name, type]) => `$${name}: ${type}`).join(', ');
  const passed = given.map(([name]) => `${name}: $${name}`).join(', ');
  const fields = ['id', ...listedNames(type), isKept(type) && 'updatedAt'];
  return {
    query: `query ${type.model}List(${declared}) {
  ${type.many}(${passed}) {
    totalCount
    pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
    nodes { ${fields.filter(Boolean).join(' ')} }
  }
}
`,
    variables,
  };
}

/** A whole record with its lines. */
export function recordOperation(type: TypeAbout, id: string, about: About): Operation {
  const own = ['id', ...namesOf(type), isKept(type) && 'createdAt updatedAt', 'version displayTitle'];
  const lines = type.lines.map(({ model, field }) => {
    const line = typeCalled(about, model);
    return `    ${field} { id ${line ? namesOf(line).join(' ') : ''} }\n`;
  });
  const isOne = type.kind === 'singleton';
  return {
    query: `query ${type.model}${isOne ? '' : '($id: ID!)'} {
  ${type.one}${isOne ? '' : '(id: $id)'} {
    ${own.filter(Boolean).join(' ')}
    actions { action allowed reason }
${lines.join('')}  }
}
`,
    variables: isOne ? undefined : { id },
  };
}

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

/** Whether a record is saved with its lines, and can be tried first: all but lines. */
export const canSave = ({ model, mutations }: TypeAbout): boolean => mutations.includes(`save${model}`);

/** Whether a record says when it was made and changed: all but lines. */
const isKept = ({ kind }: TypeAbout): boolean => kind !== 'child';

const namesOf = ({ fields }: TypeAbout): string[] => fields.map(({ name }) => name);
