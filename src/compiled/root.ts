/** The fields of Query that are read by one statement, each with the text made of its rows. */
import { type Resource, resources, singletonId } from '../model/resource.js';
import { connectionField } from './connection.js';
import { nodeField } from './node.js';
import { nodesField } from './nodes.js';
import { idOf, oneRecord } from './one-record.js';
import { NotCompilable, type Selected } from './selection.js';
import type { Compiling, RootField } from './statement.js';

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
  if (field.name === '__typename') return () => () => '"Query"';
  if (field.name === 'node') return nodeField(compiling, field);
  if (field.name === 'nodes') return nodesField(compiling, field);
  const known = roots.get(field.name);
  if (!known) throw new NotCompilable();
  // Also where no record is shown: how many there are is not for everybody either.
  compiling.resources.add(known.resource);
  return known.root(compiling, field);
}

function recordField(resource: Resource): Root {
  return (compiling, field) => oneRecord(compiling, resource, field, idOf(field));
}

function singletonField(resource: Resource): Root {
  return (compiling, field) => oneRecord(compiling, resource, field, () => singletonId(resource));
}
