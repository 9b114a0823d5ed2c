/** `node`: a record of whatever type. The id tells which, so it is compiled for each type of which one is asked for. */
import { type Resource, resourceOfId, resources } from '../model/resource.js';
import { idOf, oneRecord } from './one-record.js';
import { NotCompilable, type Selected } from './selection.js';
import type { Compiling, RootField } from './statement.js';

export function nodeField(compiling: Compiling, field: Selected): RootField {
  // Which it will be is not known before, so whoever may not read all of them is answered by the resolvers.
  for (const resource of resources) compiling.resources.add(resource);
  const id = idOf(field);
  const compiled = new Map<Resource, RootField>();
  return (variables) => {
    const value = id(variables);
    if (value === undefined) return undefined;
    const resource = resourceOfId(value);
    if (!resource) return () => 'null';
    const find = compiled.get(resource) ?? orResolvers(() => oneRecord(compiling, resource, field, id));
    compiled.set(resource, find);
    return find(variables);
  };
}

function orResolvers(compile: () => RootField): RootField {
  try {
    return compile();
  } catch (error) {
    if (error instanceof NotCompilable) return () => undefined;
    throw error;
  }
}
