/** The fields of a selection, each with how the schema says that SQL answers it. */
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
import { requiredScopes, type Scope } from '../access/scopes.js';
import type { Resource } from '../model/resource.js';
import { accessOf } from '../schema/guard-scopes.js';
import { recordOf, type SqlAnswer, sqlAnswerOf } from '../schema/sql.js';
import { accessOfWrite } from '../schema/write-operation.js';
import { NotCompilable, type Selected, type Surroundings, selectedFields } from './selection.js';

export interface Described extends Selected {
  definition: GraphQLField<unknown, unknown>;
  answer: SqlAnswer | { kind: 'typename' };
}

/** What is compiled, and the scopes that a caller needs for it. */
type Compiled = Surroundings & { scopes: Set<Scope> };

/** @throws NotCompilable where a field does not say how SQL answers it */
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
    if (!answer) throw new NotCompilable();
    for (const scope of scopesOf(definition, answer)) compiled.scopes.add(scope);
    return { ...selected, definition, answer };
  });
}

/** What the guard of the field's resolver asks for. Of a write it depends on the arguments: `writes.ts` asks for it. */
function scopesOf(definition: Described['definition'], answer: SqlAnswer): Scope[] {
  const access = accessOf(definition);
  if (!access || access === 'by id') return [];
  if ('scope' in access) return [access.scope];
  const { resource, operation } = access;
  if (operation === 'retrieve' || operation === 'list') return requiredScopes(resource, operation);
  const isSame =
    answer.kind === 'write' && accessOfWrite[answer.operation] === operation && answer.resource === resource;
  if (!isSame) throw new NotCompilable();
  return [];
}

/** What a field answers with: one object, one or null, or a list of objects. */
export type Form = 'one' | 'one or null' | 'list';

/** The object type of a field. @throws NotCompilable where it has another form, or objects of more than one type */
export function objectIn(type: GraphQLOutputType, form: Form): GraphQLObjectType {
  if (form === 'one or null' && isNonNullType(type)) throw new NotCompilable();
  const whole = getNullableType(type);
  const single = isListType(whole) && form === 'list' ? getNullableType(whole.ofType) : whole;
  const named = getNamedType(type);
  if (isListType(whole) !== (form === 'list') || single !== named) throw new NotCompilable();
  if (!isObjectType(named) || named.isTypeOf) throw new NotCompilable();
  return named;
}

/** The type of a field of records of the resource. @throws NotCompilable where it is one of anything else */
export function recordTypeIn(type: GraphQLOutputType, resource: Resource, form: Form): GraphQLObjectType {
  const found = objectIn(type, form);
  if (recordOf(found) !== resource) throw new NotCompilable();
  return found;
}
