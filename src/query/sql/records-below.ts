/** The records that a selection contains below its own: parents and lines. */
import type { FieldNode, GraphQLObjectType } from 'graphql';
import type { Resource } from '../../model/resource.js';
import { type Described, describedFields, recordTypeIn } from '../compiled/described-fields.js';
import type { CompileContext } from './statement.js';

/** Records of one type, and the nodes that select their fields. */
export interface RecordSelection {
  type: GraphQLObjectType;
  nodes: readonly FieldNode[];
}

/** The numbers of a record and of its parents. */
export function numbersIn(compiling: CompileContext, selection: RecordSelection): number {
  const numbers = fieldsBelow(compiling, selection).map((field) => {
    const { answer } = field;
    if (answer.kind === 'column') return answer.type === 'Float' ? 1 : 0;
    const one = oneBelow(field);
    return one ? numbersIn(compiling, one) : 0;
  });
  return numbers.reduce((sum, count) => sum + count, 0);
}

/** The tables of a record's parents and lines, and of theirs. */
export function tablesBelow(compiling: CompileContext, selection: RecordSelection): ReadonlySet<string> {
  const tables = new Set<string>();
  for (const field of fieldsBelow(compiling, selection)) {
    const below = selectionBelow(field);
    if (!below) continue;
    tables.add(below.resource.model);
    for (const table of tablesBelow(compiling, below)) tables.add(table);
  }
  return tables;
}

/** Whether a selection holds linked records, at any depth. */
export const selectsLinks = (compiling: CompileContext, selection: RecordSelection): boolean =>
  fieldsBelow(compiling, selection).some((field) => {
    const below = selectionBelow(field);
    return field.answer.kind === 'link' || (below !== undefined && selectsLinks(compiling, below));
  });

type SelectionBelow = RecordSelection & { resource: Resource };

/** The selection of the records that a field returns; undefined if it returns none. */
function selectionBelow(field: Described): SelectionBelow | undefined {
  const { answer, definition, nodes } = field;
  if (answer.kind !== 'lines') return oneBelow(field);
  const { resource } = answer.lines;
  return { resource, type: recordTypeIn(definition.type, resource, 'list'), nodes };
}

/** The same for a field that returns one record, its parent or a linked one. */
export function oneBelow({ answer, definition, nodes }: Described): SelectionBelow | undefined {
  if (answer.kind !== 'parent' && answer.kind !== 'link') return undefined;
  const { resource } = answer.kind === 'parent' ? answer.parent : answer.link;
  const isThere = answer.kind === 'parent' && !answer.parent.link;
  return { resource, type: recordTypeIn(definition.type, resource, isThere ? 'one' : 'one or null'), nodes };
}

export const fieldsBelow = (compiling: CompileContext, { type, nodes }: RecordSelection): Described[] =>
  describedFields(
    type,
    nodes.map(({ selectionSet }) => selectionSet),
    compiling,
  );
