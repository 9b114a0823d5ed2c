/** What a selection of records holds below them: the records of its parents and lines. */
import type { FieldNode, GraphQLObjectType } from 'graphql';
import type { Resource } from '../../model/resource.js';
import { type Described, describedFields, recordTypeIn } from '../described-fields.js';
import type { CompileContext } from './statement.js';

/** Records of one type, and the nodes that select their fields. */
export interface RecordSelection {
  type: GraphQLObjectType;
  nodes: readonly FieldNode[];
}

/** The numbers of a record and of its parents. */
export function numbersIn(compiling: CompileContext, selection: RecordSelection): number {
  const numbers = fieldsOf(compiling, selection).map((field) => {
    const { answer } = field;
    if (answer.kind === 'column') return answer.type === 'Float' ? 1 : 0;
    const parent = answer.kind === 'parent' && selectionBelow(field);
    return parent ? numbersIn(compiling, parent) : 0;
  });
  return numbers.reduce((sum, count) => sum + count, 0);
}

/** The tables of a record's parents and lines, and of theirs. */
export function tablesBelow(compiling: CompileContext, selection: RecordSelection): ReadonlySet<string> {
  const tables = new Set<string>();
  for (const field of fieldsOf(compiling, selection)) {
    const below = selectionBelow(field);
    if (!below) continue;
    tables.add(below.resource.model);
    for (const table of tablesBelow(compiling, below)) tables.add(table);
  }
  return tables;
}

/** The selection of the records that a field returns; undefined if it returns none. */
function selectionBelow({
  answer,
  definition,
  nodes,
}: Described): (RecordSelection & { resource: Resource }) | undefined {
  if (answer.kind === 'lines') {
    const { resource } = answer.lines;
    return { resource, type: recordTypeIn(definition.type, resource, 'list'), nodes };
  }
  if (answer.kind !== 'parent') return undefined;
  const { resource, link } = answer.parent;
  return { resource, type: recordTypeIn(definition.type, resource, link ? 'one or null' : 'one'), nodes };
}

export const fieldsOf = (compiling: CompileContext, { type, nodes }: RecordSelection): Described[] =>
  describedFields(
    type,
    nodes.map(({ selectionSet }) => selectionSet),
    compiling,
  );
