/** A record by its id. */
import { bytesIn } from '../bytes.js';
import type { Resource } from '../model/resource.js';
import { isStorableText } from '../model/storable.js';
import { whenThere } from '../when-there.js';
import { argumentsOf } from './arguments.js';
import { recordObject } from './record.js';
import type { Selected } from './selection.js';
import { type Bound, type Compiling, type RootField, statement, type Writing } from './statement.js';
import type { FromVariables } from './variables.js';

export function oneRecord(compiling: Compiling, resource: Resource, { nodes }: Selected, id: Bound): RootField {
  const write = (writing: Writing) => {
    const row = writing.table();
    const text = writing.dialect.text(recordObject(writing, resource, row, nodes));
    return `SELECT ${text} FROM "${resource.model}" AS ${row} WHERE ${row}."id" = ${writing.bind(id)}`;
  };
  const find = statement(compiling, write, () => 'bounded');
  // A singleton is always there: where it is not, the resolvers say so.
  const missing = resource.kind === 'singleton' ? undefined : 'null';
  return (variables, read) =>
    whenThere(find(variables, read), (rows) => rows && (rows[0] ? bytesIn(rows[0][0]) : missing));
}

/** The argument `id`. */
export function idOf(field: Selected): FromVariables<string> {
  const { id } = argumentsOf(field, ['id']);
  return (variables) => {
    const value = id?.(variables);
    return typeof value === 'string' && isStorableText(value) ? value : undefined;
  };
}
