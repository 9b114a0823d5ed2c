/**
 * `node`: a record of any type. The id determines the type, so the field is compiled for each type when it is first
 * asked for.
 */
import {
  type GraphQLObjectType,
  type GraphQLOutputType,
  getNullableType,
  isAbstractType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import { isNamedByRecords, recordOf } from '../../graphql/answered-by-sql.js';
import { pastIdIn } from '../../model/past-id.js';
import { type Resource, resourceById } from '../../model/resource.js';
import type { CompileContext, CompiledRootField } from '../sql/statement.js';
import type { Described } from './described-fields.js';
import { askedId, oneRecord } from './one-record.js';
import { NotCompilable } from './selection.js';

export function nodeField(
  compiling: CompileContext,
  field: Described,
  resources: readonly Resource[],
): CompiledRootField {
  const resourceOfId = resourceById(resources);
  // The type is not known in advance, so a caller who may not read all types is answered by the resolvers.
  for (const resource of resources) compiling.resources.add(resource);
  if (isNonNullType(field.definition.type)) throw new NotCompilable();
  const id = askedId(field);
  const compiled = new Map<Resource, CompiledRootField>();
  return (variables) => {
    const value = id(variables);
    if (value === undefined) return undefined;
    if (pastIdIn(value)) return undefined;
    const resource = resourceOfId(value);
    if (!resource) return () => 'null';
    const find =
      compiled.get(resource) ??
      orResolvers(() =>
        oneRecord(compiling, typeAmong(compiling, field.definition.type, resource), resource, field, id),
      );
    compiled.set(resource, find);
    return find(variables);
  };
}

/** The object type of a resource's records within an interface or union. @throws NotCompilable */
export function typeAmong(
  { schema }: Pick<CompileContext, 'schema'>,
  output: GraphQLOutputType,
  resource: Resource,
): GraphQLObjectType {
  const several = getNullableType(output);
  const one = getNullableType(isListType(several) ? several.ofType : several);
  const type = schema.getType(resource.model);
  if (!isAbstractType(one) || !isNamedByRecords(one) || !isObjectType(type)) throw new NotCompilable();
  if (recordOf(type) !== resource || !schema.isSubType(one, type)) throw new NotCompilable();
  return type;
}

function orResolvers(compile: () => CompiledRootField): CompiledRootField {
  try {
    return compile();
  } catch (error) {
    if (error instanceof NotCompilable) return () => undefined;
    throw error;
  }
}
