/**
 * A list field. A list without filter, order or `last` is plain: its statements are written once. Clients often declare
 * all arguments and pass only a few, so the variables of each request decide.
 */
import { Kind } from 'graphql';
import type { Resource } from '../../model/resource.js';
import type { CompileContext, CompiledRootField } from '../sql/statement.js';
import type { Described } from './described-fields.js';
import { filteredList } from './filtered-list.js';
import { pageTemplateOf } from './page-template.js';
import { plainList } from './plain-list.js';
import type { Selected } from './selection.js';
import type { Variables } from './variables.js';

export function compileConnection(compiling: CompileContext, resource: Resource, field: Described): CompiledRootField {
  // Needed even if no record is selected: the count is confidential too.
  compiling.resources.add(resource);
  const frame = pageTemplateOf(compiling, resource, field);
  const chosen = filteredList(compiling, resource, frame, field);
  const choosing = ['where', 'orderBy', 'last', 'before', ...(resource.scope ? ['after'] : [])];
  const asking = frame.needsPrevious ? [...choosing, 'after'] : choosing;
  const isChosen = asking.map((name) => givenIn(field, name));
  if (isChosen.includes('always')) return chosen;
  const plain = plainList(compiling, resource, frame, field);
  return (variables) =>
    isChosen.some((isGiven) => typeof isGiven === 'function' && isGiven(variables))
      ? chosen(variables)
      : plain(variables);
}

/** Whether a request gives the argument a value. */
function givenIn({ nodes: [first] }: Selected, name: string): 'always' | 'never' | ((variables: Variables) => boolean) {
  const value = first?.arguments?.find((argument) => argument.name.value === name)?.value;
  if (!value || value.kind === Kind.NULL) return 'never';
  if (value.kind !== Kind.VARIABLE) return 'always';
  return (variables) => variables[value.name.value] != null;
}
