import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLSchema,
  getNamedType,
  isInputObjectType,
  isObjectType,
} from 'graphql';
import type { RequestContext } from '../../change/context.js';
import { isObject } from '../../common/is-object.js';
import type { Resource } from '../../model/resource.js';
import { requiredScopes, requireScopes, type Scope } from '../../model/scopes.js';
import { linkedByFilter } from '../../query/read.js';
import { accessOf, guardResolver } from '../answered-by-sql.js';
import { type SelectionInfo, selectionProblems } from '../selection-problems.js';

/** The extensions of the filter input of a resource. */
export const filterOfRecord = (resource: Resource): { filterOf: Resource } => ({ filterOf: resource });

/**
 * Refuses with FORBIDDEN what follows links to records that the key may not read. Links lead to other areas, unlike
 * lines and parents: a filter through them reveals those records, and a mutation must be refused before it writes.
 */
export function guardLinks(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue;
    const isMutation = type === schema.getMutationType();
    for (const field of Object.values(type.getFields())) {
      const isFiltered = field.args.some((argument) => filteredBy(argument) !== undefined);
      if (!isFiltered && !isMutation) continue;
      guardResolver(field, (resolve) => (source, args, context, info) => {
        const scopes = [...scopesOfFilters(field, args), ...(isMutation ? scopesBelow(info) : [])];
        requireScopes(context.identity, [...new Set(scopes)]);
        return resolve(source, args, context, info);
      });
    }
  }
  return schema;
}

/**
 * The scopes of all that is selected, by links and by filters through them, whether or not a record is linked.
 * @throws GraphQLError for an argument that cannot be coerced
 */
export function scopesBelow(selected: SelectionInfo): Scope[] {
  const scopes = new Set<Scope>();
  selectionProblems(selected, (field, args) => {
    for (const scope of [...scopesOfField(field), ...scopesOfFilters(field, args)]) scopes.add(scope);
    return [];
  });
  return [...scopes];
}

type Field = GraphQLField<unknown, RequestContext>;

const filteredBy = ({ type }: GraphQLArgument): Resource | undefined => {
  const named = getNamedType(type);
  if (!isInputObjectType(named)) return undefined;
  const { filterOf }: { filterOf?: Resource } = named.extensions;
  return filterOf;
};

/** The scopes of the record types to which the filters among the arguments follow links. */
function scopesOfFilters({ args }: Pick<Field, 'args'>, given: Readonly<Record<string, unknown>>): Scope[] {
  return args.flatMap((argument) => {
    const [resource, filter] = [filteredBy(argument), given[argument.name]];
    if (!resource || !isObject(filter)) return [];
    return [...linkedByFilter(resource, filter)].flatMap((linked) => requiredScopes(linked, 'list'));
  });
}

/** The scopes of a field of a record that has its own. */
function scopesOfField(field: Field): Scope[] {
  const access = accessOf(field);
  return access && typeof access !== 'string' && 'resource' in access
    ? requiredScopes(access.resource, access.operation)
    : [];
}
