/** The fields of Query that are plain reads, each as a statement and the text made of its rows. */
import { type Resource, resources, singletonId } from '../model/resource.js';
import { isStorableText } from '../model/storable.js';
import { argumentsOf } from './arguments.js';
import { connectionField } from './connection.js';
import { recordObject } from './record.js';
import { NotCompilable, type Selected } from './selection.js';
import { type Bound, type Compiling, type RootField, statement, whenThere } from './statement.js';

type Root = (compiling: Compiling, field: Selected) => RootField;

const roots = new Map<string, { resource: Resource; root: Root }>(
  resources.flatMap((resource): [string, { resource: Resource; root: Root }][] =>
    resource.kind === 'singleton'
      ? [[resource.one, { resource, root: singletonField(resource) }]]
      : [
          [resource.one, { resource, root: recordField(resource) }],
          [resource.many, { resource, root: connectionField(resource) }],
        ],
  ),
);

/** @throws NotCompilable */
export function rootField(compiling: Compiling, field: Selected): RootField {
  if (field.name === '__typename') return () => '"Query"';
  const known = roots.get(field.name);
  if (!known) throw new NotCompilable();
  // Also where no record is shown: how many there are is not for everybody either.
  compiling.resources.add(known.resource);
  return known.root(compiling, field);
}

function recordField(resource: Resource): Root {
  return (compiling, field) => {
    const { id } = argumentsOf(field, ['id']);
    return oneRecord(compiling, resource, field, (variables) => {
      const value = id?.(variables);
      return typeof value === 'string' && isStorableText(value) ? value : undefined;
    });
  };
}

function singletonField(resource: Resource): Root {
  return (compiling, field) => oneRecord(compiling, resource, field, () => singletonId(resource));
}

function oneRecord(compiling: Compiling, resource: Resource, { nodes }: Selected, id: Bound): RootField {
  const find = statement(compiling, (writing) => {
    const row = writing.table();
    const text = writing.dialect.text(recordObject(writing, resource, row, nodes));
    return `SELECT ${text} FROM "${resource.model}" AS ${row} WHERE ${row}."id" = ${writing.bind(id)}`;
  });
  // A singleton is always there: where it is not, the resolvers say so.
  const missing = resource.kind === 'singleton' ? undefined : 'null';
  return (variables, read) =>
    whenThere(find(variables, read), (rows) => rows && (rows[0] ? String(rows[0][0]) : missing));
}
