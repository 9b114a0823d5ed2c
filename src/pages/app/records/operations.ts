/** The operations with which the pages read and change records, made from what is known of the types. */
import type { FieldAbout, TypeAbout } from '../../about.js';

export interface Operation {
  query: string;
  variables?: Record<string, unknown>;
}

/** The fields to show in a list: a few that are given with every record, before others. */
export function columnsOf({ fields }: TypeAbout): FieldAbout[] {
  const wanted = fields.filter(({ name }) => name !== 'status' && name !== 'idx');
  const sorted = [...wanted.filter(({ required }) => required), ...wanted.filter(({ required }) => !required)];
  return sorted.slice(0, 5);
}

/** A first look at the records of a type, for GraphiQL. */
export function readQuery(type: TypeAbout): Operation {
  const own = [type.hasStates && 'status', ...columnsOf(type).map(({ name }) => name)].filter(Boolean).join(' ');
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
