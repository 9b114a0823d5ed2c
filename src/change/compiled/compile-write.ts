import {
  type GraphQLArgument,
  type GraphQLEnumType,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  Kind,
  type OperationDefinitionNode,
  specifiedScalarTypes,
} from 'graphql';
import { fragmentsOf } from '../../common/fragments.js';
import { isObject } from '../../common/is-object.js';
import type { Provider } from '../../database/migrations/migration-history.js';
import type { WriteOperation } from '../../graphql/answered-by-sql.js';
import { type Names, selectsOnly } from '../../graphql/guards/guard-scopes.js';
import { valueCheck } from '../../graphql/guards/value-problem.js';
import { constraintOf } from '../../graphql/inputs/filters.js';
import type { Operation } from '../../graphql/operation/admission.js';
import type { Resource } from '../../model/resource.js';
import type { Scope } from '../../model/scopes.js';
import { type ArgumentValues, argumentValuesOf } from '../../query/compiled/arguments.js';
import { conditionsOf, hasDirectives } from '../../query/compiled/conditions.js';
import { type Described, describedFields } from '../../query/compiled/described-fields.js';
import { NotCompilable, type Selected } from '../../query/compiled/selection.js';
import { coercedVariables, type FromVariables } from '../../query/compiled/variables.js';
import { dialects } from '../../query/sql/dialect.js';
import type { CompileContext } from '../../query/sql/statement.js';
import { compiledMutation } from './compiled-mutation.js';
import type { CompiledMutation } from './payload-json.js';

/** A compiled mutation with a single field. */
export interface CompiledWrite extends CompiledMutation {
  field: Selected;
  resource: Resource;
  operation: WriteOperation;
  /** The field's arguments as the resolver gets them; undefined if the resolver would refuse them. */
  given: FromVariables<ArgumentValues>;
  /** The types that the answer contains. */
  shown: ReadonlySet<Resource>;
  /** Scopes that the fields of the answer need in addition. */
  scopes: ReadonlySet<Scope>;
  /** Whether the answer selects nothing but these names. */
  asksOnly(names: Names): boolean;
}

/** Compiles a mutation; undefined if it cannot be compiled. */
export function compileWrite(
  schema: GraphQLSchema,
  provider: Provider,
  answerLimit: number,
  { document, definition: operation }: Operation,
): CompiledWrite | undefined {
  if (hasDirectives(operation) || conditionsOf(document, operation)) return undefined;
  const compiling: CompileContext = {
    schema,
    fragments: fragmentsOf(document),
    conditions: {},
    coerced: noArguments,
    dialect: dialects[provider],
    answerLimit,
    resources: new Set(),
    scopes: new Set(),
    filtered: [],
  };
  try {
    const mutation = schema.getMutationType();
    if (!mutation) return undefined;
    const [field, ...others] = describedFields(mutation, [operation.selectionSet], compiling);
    if (!field || others.length > 0) return undefined;
    const { answer, nodes } = field;
    if (answer.kind !== 'write') return undefined;
    const { resource } = answer;
    const mutating = compiledMutation(compiling, resource, answer.operation, field);
    const given = writeArguments(schema, operation, field);
    const { resources: shown, scopes } = compiling;
    const asking = { fieldNodes: [...nodes], fragments: Object.fromEntries(compiling.fragments) };
    const asksOnly = remembered((names) => selectsOnly(asking, names));
    return { ...mutating, field, resource, operation: answer.operation, given, shown, scopes, asksOnly };
  } catch (error) {
    if (error instanceof NotCompilable) return undefined;
    throw error;
  }
}

/** Remembers the result for each set of names, because each request asks for it. */
function remembered(ask: (names: Names) => boolean): (names: Names) => boolean {
  const known = new Map<Names, boolean>();
  return (names) => {
    const found = known.get(names) ?? ask(names);
    known.set(names, found);
    return found;
  };
}

/** Refuses arguments within the answer: only list fields of queries may have them. */
function noArguments(): never {
  throw new NotCompilable();
}

/** The arguments of a mutation. */

/**
 * The arguments as the field's resolver gets them, except for defaults inside inputs, which the writer fills in.
 * Undefined if the resolver would refuse them. @throws NotCompilable
 */
function writeArguments(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  field: Described,
): FromVariables<ArgumentValues> {
  const { answer, definition, nodes } = field;
  const [node] = nodes;
  if (!node || answer.kind !== 'write') throw new NotCompilable();
  const onlyWith = Object.entries(answer.onlyWith ?? {});
  const isMeant = (given: ArgumentValues) => onlyWith.every(([name, value]) => given[name] === value);
  const unchanged = unchangedArguments(operation, field, answer.resource);
  if (unchanged) {
    return (variables) => {
      const given: Record<string, unknown> = {};
      for (const { name, read, isAccepted } of unchanged) {
        given[name] = read(variables);
        if (!isAccepted(given[name])) return undefined;
      }
      return isMeant(given) ? given : undefined;
    };
  }
  const coerced = coercedVariables(schema, operation);
  return argumentValuesOf({ coerced }, definition, node, (given) => (isMeant(given) ? given : undefined));
}

/** An argument whose value the writer may use as it is. */
interface UnchangedArgument {
  name: string;
  read: FromVariables<unknown>;
  /** Whether it keeps the argument's own constraint. */
  isAccepted(value: unknown): boolean;
}

/**
 * The arguments, if each is a variable that coercion would not change, or is left out. Admission has checked the
 * variables by their types with all constraints inside; only the constraint of the argument itself is left to check.
 */
function unchangedArguments(
  { variableDefinitions = [] }: OperationDefinitionNode,
  { definition, nodes: [node] }: Described,
  resource: Resource,
): UnchangedArgument[] | undefined {
  const found: UnchangedArgument[] = [];
  for (const argument of definition.args) {
    const { name, type, defaultValue } = argument;
    const value = node?.arguments?.find((each) => each.name.value === name)?.value;
    if (!value) {
      if (defaultValue !== undefined) found.push({ name, read: () => defaultValue, isAccepted: () => true });
      continue;
    }
    const isAccepted = acceptedBy(argument);
    if (value.kind !== Kind.VARIABLE || defaultValue !== undefined || !isAccepted) return undefined;
    const variable = value.name.value;
    const declared = variableDefinitions.find((each) => each.variable.name.value === variable);
    if (!declared || declared.defaultValue || !isUnchanged(type, resource)) return undefined;
    const convert = enumConversion(type);
    found.push({
      name,
      read: convert ? (variables) => convert(variables[variable]) : (variables) => variables[variable],
      isAccepted,
    });
  }
  return found;
}

/**
 * Whether a value of the argument's type keeps its constraint; undefined for a constraint that takes more to check, and for
 * any that is not known here. GraphQL accepts a single value as a list of one: that is left to coercion.
 */
function acceptedBy(argument: GraphQLArgument): UnchangedArgument['isAccepted'] | undefined {
  const constraint = constraintOf(argument);
  const type = getNullableType(argument.type);
  if (isLeafType(type)) {
    const { notNull, ...ofValue } = constraint;
    if (notNull) return undefined;
    const check = valueCheck(type);
    return (value) => value == null || check(value, ofValue, true) === undefined;
  }
  const { maximumLength, ...others } = constraint;
  if (Object.keys(others).length > 0) return undefined;
  if (!isListType(type)) return maximumLength === undefined ? () => true : undefined;
  const most = maximumLength ?? Infinity;
  return (value) => value == null || (Array.isArray(value) && value.length <= most);
}

/**
 * Whether the writer gets the same value with and without GraphQL's coercion, but for the names of enums: scalars are
 * GraphQL's own, and the defaults of inputs are those of the record type. A single value in the place of a list inside an input is handled by
 * the writer.
 */
function isUnchanged(
  type: GraphQLInputType,
  resource: Resource,
  around: readonly GraphQLInputObjectType[] = [],
): boolean {
  const named = getNamedType(type);
  if (!isInputObjectType(named)) return isEnumType(named) || specifiedScalarTypes.some((scalar) => scalar === named);
  if (around.includes(named)) return false;
  return Object.values(named.getFields()).every(({ name, type: inner, defaultValue }) => {
    const lines = resource.lines.find(({ field }) => field === name);
    if (isListType(getNullableType(inner)) && !lines) return false;
    const isOwn = resource.fields.some((field) => field.name === name && field.default === defaultValue);
    const hasDefault = defaultValue !== undefined && !isOwn;
    return !hasDefault && isUnchanged(inner, lines?.resource ?? resource, [...around, named]);
  });
}

/**
 * The values behind the names of enums in the value of a variable. Admission has checked the names; everything else in the
 * value is left as it is, because coercion would not change it.
 */
type Convert = (value: unknown) => unknown;

/** Undefined for a type without enums, whose values need no conversion. Types must not contain themselves. */
function enumConversion(type: GraphQLInputType): Convert | undefined {
  const plain = getNullableType(type);
  if (isEnumType(plain)) return (value) => valueBehind(plain, value);
  if (isListType(plain)) {
    const item = enumConversion(plain.ofType);
    return item && ((value) => (Array.isArray(value) ? convertedList(value, item) : item(value)));
  }
  if (!isInputObjectType(plain)) return undefined;
  const members = Object.values(plain.getFields()).flatMap(({ name, type: inner }) => {
    const convert = enumConversion(inner);
    return convert ? [{ name, convert }] : [];
  });
  return members.length === 0 ? undefined : (value) => (isObject(value) ? converted(value, members) : value);
}

/** The list itself if no item changes, otherwise a copy. */
function convertedList(list: readonly unknown[], convert: Convert): readonly unknown[] {
  const found = list.map(convert);
  return found.every((item, index) => item === list[index]) ? list : found;
}

/** The value itself if none of the members is given, otherwise a copy, because the value belongs to the request. */
function converted(
  value: Readonly<Record<string, unknown>>,
  members: readonly { name: string; convert: Convert }[],
): Readonly<Record<string, unknown>> {
  const given = members.filter(({ name }) => value[name] != null);
  if (given.length === 0) return value;
  return { ...value, ...Object.fromEntries(given.map(({ name, convert }) => [name, convert(value[name])])) };
}

const valueBehind = (type: GraphQLEnumType, name: unknown): unknown =>
  typeof name === 'string' ? type.getValue(name)?.value : name;
