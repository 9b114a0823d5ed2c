/**
 * Input types in the form in which values are checked against them. GraphQL.js keeps the fields of an input type in an
 * object that is slow to go through, and wraps types in NonNull and List; both are taken apart once for each type.
 */
import {
  type GraphQLInputObjectType,
  type GraphQLInputType,
  getNullableType,
  isInputObjectType,
  isListType,
  isNonNullType,
} from 'graphql';
import { type Constraint, constraintOf } from '../inputs/constraint.js';
import { type CheckValue, valueCheck } from './value-problem.js';

export interface CheckedType {
  /** The type itself, without NonNull, for messages. */
  type: GraphQLInputType;
  isNonNull: boolean;
  content:
    | { kind: 'list'; item: CheckedType }
    | { kind: 'object'; fieldsOf: () => CheckedFields }
    | { kind: 'value'; check: CheckValue };
}

export interface CheckedFields {
  byName: ReadonlyMap<string, CheckedField>;
  /** The fields that may not be left out. */
  required: readonly CheckedField[];
}

export interface CheckedField {
  name: string;
  /** Its place among the fields of the type. */
  place: number;
  type: CheckedType;
  constraint: Constraint;
}

/** The checked form of a type. Fields of objects are looked at when they are needed, because filters hold filters. */
export function checkedType(type: GraphQLInputType): CheckedType {
  const known = knownTypes.get(type);
  if (known) return known;
  const plain = getNullableType(type);
  const checked = { type: plain, isNonNull: isNonNullType(type), content: contentOf(plain) };
  knownTypes.set(type, checked);
  return checked;
}

const knownTypes = new WeakMap<GraphQLInputType, CheckedType>();
const knownFields = new WeakMap<GraphQLInputObjectType, CheckedFields>();

function contentOf(type: ReturnType<typeof getNullableType<GraphQLInputType>>): CheckedType['content'] {
  if (isListType(type)) return { kind: 'list', item: checkedType(type.ofType) };
  if (isInputObjectType(type)) return { kind: 'object', fieldsOf: () => checkedFields(type) };
  return { kind: 'value', check: valueCheck(type) };
}

function checkedFields(type: GraphQLInputObjectType): CheckedFields {
  const known = knownFields.get(type);
  if (known) return known;
  const definitions = Object.values(type.getFields());
  const fields = definitions.map(
    (field, place): CheckedField => ({
      name: field.name,
      place,
      type: checkedType(field.type),
      constraint: constraintOf(field),
    }),
  );
  const checked = {
    byName: new Map(fields.map((field) => [field.name, field])),
    required: fields.filter(
      ({ type: { isNonNull } }, place) => isNonNull && definitions[place]?.defaultValue === undefined,
    ),
  };
  knownFields.set(type, checked);
  return checked;
}
