/** The fields of a selection, each with its description of how SQL answers it. */
import {
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLOutputType,
  getNamedType,
  getNullableType,
  isListType,
  isNonNullType,
  isObjectType,
  type SelectionSetNode,
  TypeNameMetaFieldDef,
} from 'graphql';
import {
  accessOfWrite,
  leavesToResolver,
  recordOf,
  type SqlAnswer,
  sqlAnswerOf,
} from '../../graphql/answered-by-sql.js';
import { accessOf } from '../../graphql/guards/guard-scopes.js';
import type { Resource } from '../../model/resource.js';
import { requiredScopes, type Scope } from '../../model/scopes.js';
import { NotCompilable, type Selected, type SelectionContext, selectedFields } from './selection.js';

export interface Described extends Selected {
  definition: GraphQLField<unknown, unknown>;
  answer: SqlAnswer | { kind: 'typename' };
}

/** The context of the selection; collects the scopes that a caller needs. */
type Compiled = SelectionContext & { scopes: Set<Scope> };

/** @throws NotCompilable for a field without a description */
export function describedFields(
  type: GraphQLObjectType,
  sets: readonly (SelectionSetNode | undefined)[],
  compiled: Compiled,
): Described[] {
  const definitions = type.getFields();
  return selectedFields(type, sets, compiled).map((selected): Described => {
    if (selected.name === '__typename') {
      return { ...selected, definition: TypeNameMetaFieldDef, answer: { kind: 'typename' } };
    }
    const definition = definitions[selected.name];
    const answer = definition && sqlAnswerOf(definition);
    if (!answer || selected.nodes.some((node) => leavesToResolver(definition, node))) throw new NotCompilable();
    for (const scope of scopesOf(definition, answer)) compiled.scopes.add(scope);
    return { ...selected, definition, answer };
  });
}

/**
 * The scopes that the guard of the field's resolver requires. For a write they depend on the arguments, so `writes.ts`
 * checks them.
 */
function scopesOf(definition: Described['definition'], answer: SqlAnswer): Scope[] {
  const access = accessOf(definition);
  if (!access || typeof access === 'string') return [];
  if ('scope' in access) return [access.scope];
  const { resource, operation } = access;
  if (operation === 'retrieve' || operation === 'list') return requiredScopes(resource, operation);
  const isSame =
    answer.kind === 'write' && accessOfWrite[answer.operation] === operation && answer.resource === resource;
  if (!isSame) throw new NotCompilable();
  return [];
}

/** What a field returns: one object, an object or null, or a list of objects. */
export type FieldForm = 'one' | 'one or null' | 'list';

/** The object type of a field. @throws NotCompilable if the field has another form or an abstract type */
export function objectIn(type: GraphQLOutputType, form: FieldForm): GraphQLObjectType {
  if (form === 'one or null' && isNonNullType(type)) throw new NotCompilable();
  const whole = getNullableType(type);
  const single = isListType(whole) && form === 'list' ? getNullableType(whole.ofType) : whole;
  const named = getNamedType(type);
  if (isListType(whole) !== (form === 'list') || single !== named) throw new NotCompilable();
  if (!isObjectType(named) || named.isTypeOf) throw new NotCompilable();
  return named;
}

/**
 * The object type of a field that returns records of the resource. @throws NotCompilable if it returns anything else
 */
export function recordTypeIn(type: GraphQLOutputType, resource: Resource, form: FieldForm): GraphQLObjectType {
  const found = objectIn(type, form);
  if (recordOf(found) !== resource) throw new NotCompilable();
  return found;
}
