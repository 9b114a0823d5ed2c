/** Makes the trees of what operations select (`model/selection.ts`), from their documents and the schema. */

import {
  type DocumentNode,
  type FieldNode,
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  getArgumentValues,
  getNamedType,
  getNullableType,
  isAbstractType,
  isCompositeType,
  isEnumType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  isUnionType,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  type SelectionSetNode,
  TypeNameMetaFieldDef,
} from 'graphql';
import type { Resource } from '../../model/resource.js';
import { requiredScopes, type Scope } from '../../model/scopes.js';
import {
  type ArgumentValues,
  accessOfWrite,
  NotCompilable,
  type Selection,
  type SelectionTree,
  type SqlAnswer,
  type Variables,
} from '../../model/selection.js';
import {
  accessOf,
  columnTypeOf,
  isNamedByRecords,
  leavesToResolver,
  recordOf,
  sqlAnswerOf,
} from '../answered-by-sql.js';
import { argumentReader, refusedArgument } from './arguments.js';
import {
  conditionsIn,
  fragmentsOf,
  holdsVariable,
  isIncluded,
  nodesSelected,
  type Selecting,
  takingBy,
} from './selected-nodes.js';

interface Within extends Selecting {
  variableDefinitions: NonNullable<OperationDefinitionNode['variableDefinitions']>;
  scopes: Set<Scope>;
}

/** The most trees of one operation, by the values of `@include` and `@skip`; the resolvers answer all others. */
const mostTrees = 16;

/** The trees of one operation. Nothing is made of its document before it is looked at. */
export class SelectionTrees {
  readonly #trees = new Map<string, SelectionTree | undefined>();
  /** The only tree of an operation without directives, once it was asked for. */
  plain: SelectionTree | undefined;
  #conditions: ReturnType<typeof conditionsIn> | undefined;

  constructor(
    private readonly schema: GraphQLSchema,
    private readonly document: DocumentNode,
    private readonly definition: OperationDefinitionNode,
  ) {}

  /** The tree for the coerced variables of a request; undefined if the resolvers must execute it. */
  of(variables: Variables): SelectionTree | undefined {
    this.#conditions ??= conditionsIn(this.document, this.definition);
    const { isConditional, names } = this.#conditions;
    if (!isConditional) {
      this.plain ??= this.#treeFor({}, false);
      return this.plain;
    }
    const values: Record<string, boolean> = {};
    for (const name of names) {
      const value = variables[name];
      if (typeof value !== 'boolean') return undefined;
      values[name] = value;
    }
    const key = JSON.stringify(values);
    if (!this.#trees.has(key) && this.#trees.size < mostTrees) this.#trees.set(key, this.#treeFor(values, true));
    return this.#trees.get(key);
  }

  #treeFor(values: Variables, isConditional: boolean): SelectionTree | undefined {
    const { schema, document, definition } = this;
    const { directives, variableDefinitions = [], selectionSet } = definition;
    // The operation itself, or one of its variables, has a directive, whose meaning is not known here.
    if ([directives, ...variableDefinitions.map((variable) => variable.directives)].some((each) => each?.length))
      return undefined;
    const type = schema.getRootType(definition.operation);
    if (!type || definition.operation === OperationTypeNode.SUBSCRIPTION) return undefined;
    const scopes = new Set<Scope>();
    const within = {
      schema,
      fragments: fragmentsOf(document),
      takes: takingBy(values),
      variableDefinitions,
      scopes,
    };
    let fields: readonly Selection[] | undefined;
    return {
      get fields() {
        fields ??= fieldsIn(within, type, [selectionSet]);
        return fields;
      },
      isConditional,
      scopes,
    };
  }
}

function fieldsIn(
  within: Within,
  of: GraphQLCompositeType,
  sets: readonly (SelectionSetNode | undefined)[],
): Selection[] {
  return nodesSelected(sets, within, of).map(({ key, name, type, nodes }) => {
    if (name === '__typename')
      return new SelectedField(within, key, TypeNameMetaFieldDef, nodes, { kind: 'typename', type: type.name });
    const definition = isUnionType(type) ? undefined : type.getFields()[name];
    if (!definition) throw new NotCompilable();
    return new SelectedField(within, key, definition, nodes, answerOf(definition, nodes, within.scopes));
  });
}

type Definition = GraphQLField<unknown, unknown>;

/** A field of a tree, with the nodes that select it, which differ only in their selections. */
export class SelectedField implements Selection {
  readonly name: string;
  readonly given: ReadonlySet<string>;
  readonly isConstant: boolean;
  readonly #first: FieldNode | undefined;
  readonly #type: Definition['type'];
  /** The type of the objects that it returns. */
  readonly #object: GraphQLObjectType | undefined;
  #fields: readonly Selection[] | undefined;

  constructor(
    private readonly within: Within,
    readonly key: string,
    readonly definition: Definition,
    readonly nodes: readonly FieldNode[],
    readonly answer: SqlAnswer,
    type = definition.type,
  ) {
    const [first] = nodes;
    const { arguments: given = [] } = first ?? {};
    this.name = definition.name;
    this.given = new Set(given.map(({ name }) => name.value));
    this.isConstant = !given.some(({ value }) => holdsVariable(value));
    const named = getNamedType(type);
    this.#first = first;
    this.#type = type;
    this.#object = isObjectType(named) ? named : undefined;
  }

  get form(): Selection['form'] {
    const whole = getNullableType(this.#type);
    const single = isListType(whole) ? getNullableType(whole.ofType) : whole;
    if (single !== this.#object || this.#object.isTypeOf) return undefined;
    if (isListType(whole)) return 'list';
    return isNonNullType(this.#type) ? 'one' : 'one or null';
  }

  get resource(): Resource | undefined {
    return this.#object && recordOf(this.#object);
  }

  get fields(): readonly Selection[] {
    const type = getNamedType(this.#type);
    const sets = this.nodes.map(({ selectionSet }) => selectionSet);
    this.#fields ??= isCompositeType(type) ? fieldsIn(this.within, type, sets) : [];
    return this.#fields;
  }

  on(resource: Resource, form: 'one or null' | 'list of nulls'): Selection {
    const { within, key, definition, nodes, answer } = this;
    const whole = form === 'one or null' ? definition.type : getNullableType(definition.type);
    const item = isListType(whole) && form === 'list of nulls' ? whole.ofType : whole;
    const type = within.schema.getType(resource.model);
    if (!isAbstractType(item) || !isNamedByRecords(item) || !isObjectType(type)) throw new NotCompilable();
    if (recordOf(type) !== resource || !within.schema.isSubType(item, type)) throw new NotCompilable();
    return new SelectedField(within, key, definition, nodes, answer, type);
  }

  get arguments(): Selection['arguments'] {
    const readers = this.definition.args.map(({ name }) => ({ name, read: this.argument(name) }));
    return (variables) => {
      const given: Record<string, unknown> = {};
      for (const { name, read } of readers) {
        const value = read(variables);
        if (value === refusedArgument) return undefined;
        if (value !== undefined) given[name] = value;
      }
      return given;
    };
  }

  argument(name: string): (variables: Variables) => unknown {
    const argument = this.definition.args.find((each) => each.name === name);
    return argument ? argumentReader(argument, this.#first, this.within.variableDefinitions) : () => undefined;
  }

  gives(name: string): ReturnType<Selection['gives']> {
    const value = this.#first?.arguments?.find((argument) => argument.name.value === name)?.value;
    if (!value || value.kind === Kind.NULL) return 'never';
    if (value.kind !== Kind.VARIABLE) return 'always';
    return (variables) => variables[value.name.value] != null;
  }

  serialize(value: unknown): unknown {
    const type = getNamedType(this.#type);
    if (!isLeafType(type)) throw new NotCompilable();
    return type.serialize(value);
  }
}

/** The nodes of a field of a tree, for the location of an error. */
export const nodesOf = (field: Selection): readonly FieldNode[] => (field instanceof SelectedField ? field.nodes : []);

/** A field below another, and the names that lead to it. */
export interface FieldBelow {
  definition: Definition;
  arguments: ArgumentValues;
  names: readonly string[];
}

/**
 * The fields of a tree and those below them at any depth, each once: a fragment may be spread at so many places that it takes
 * seconds to go to all of them. A mutation looks at them before it writes: its answer is
 * resolved only afterwards, when a refusal would come after the change was made. @throws GraphQLError for an argument that
 * cannot be coerced
 */
export function* fieldsBelow(
  fields: readonly Selection[],
  variables: Variables,
  names: readonly string[] = [],
  seen = new Map<Definition, Set<FieldNode>>(),
): Generator<FieldBelow> {
  for (const field of fields) {
    const [node] = nodesOf(field);
    if (!(field instanceof SelectedField) || !node) continue;
    const { definition, key, nodes } = field;
    // Not by its first node alone: others may select more below it.
    const known = seen.get(definition) ?? new Set();
    if (nodes.every((each) => known.has(each))) continue;
    for (const each of nodes) known.add(each);
    seen.set(definition, known);
    const inside = [...names, key];
    yield { definition, arguments: getArgumentValues(definition, node, variables), names: inside };
    yield* fieldsBelow(field.fields, variables, inside, seen);
  }
}

/** What is selected below the field that is being resolved. */
export function selectionIn(info: GraphQLResolveInfo): Selection {
  const { schema, fragments, fieldNodes, parentType, fieldName, variableValues } = info;
  const within: Within = {
    schema,
    fragments: new Map(Object.entries(fragments)),
    takes: (node) => isIncluded(node, variableValues),
    variableDefinitions: [],
    scopes: new Set(),
  };
  const definition = parentType.getFields()[fieldName] ?? TypeNameMetaFieldDef;
  return new SelectedField(within, fieldName, definition, fieldNodes, byResolver);
}

const byResolver: SqlAnswer = { kind: 'resolver' };

/** How SQL answers a field, if it can; collects the scopes that a caller needs. */
function answerOf(definition: Definition, nodes: readonly FieldNode[], scopes: Set<Scope>): SqlAnswer {
  const answer = sqlAnswerOf(definition);
  if (!answer || !isOfType(answer, definition.type) || nodes.some((node) => leavesToResolver(definition, node)))
    return byResolver;
  const needed = scopesOf(definition, answer);
  for (const scope of needed ?? []) scopes.add(scope);
  return needed ? answer : byResolver;
}

/** Whether SQL writes the values of the type exactly as it serializes them. */
function isOfType(answer: SqlAnswer, type: Definition['type']): boolean {
  const whole = getNullableType(type);
  switch (answer.kind) {
    case 'column':
      return columnTypeOf(type) === answer.type && !(answer.nullable && isNonNullType(type));
    case 'status':
      return isEnumType(whole);
    case 'allowedActions':
      return isListType(whole) && isEnumType(getNullableType(whole.ofType));
    default:
      return true;
  }
}

/**
 * The scopes that the guard of the field's resolver requires; for a write, whose arguments they depend on, whoever performs
 * it checks them. Undefined where another access is guarded than that of the answer.
 */
function scopesOf(definition: Definition, answer: SqlAnswer): Scope[] | undefined {
  const access = accessOf(definition);
  if (!access || typeof access === 'string') return [];
  if ('scope' in access) return [access.scope];
  if (!('operation' in access)) return undefined;
  const { resource, operation } = access;
  if (operation === 'retrieve' || operation === 'list') return requiredScopes(resource, operation);
  const isSame =
    answer.kind === 'write' && accessOfWrite[answer.operation] === operation && answer.resource === resource;
  return isSame ? [] : undefined;
}
