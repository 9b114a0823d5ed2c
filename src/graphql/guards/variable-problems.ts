import {
  type ASTNode,
  type DefinitionNode,
  type DocumentNode,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  isInputObjectType,
  isInputType,
  isNonNullType,
  Kind,
  type OperationDefinitionNode,
  TypeInfo,
  typeFromAST,
  valueFromAST,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { oncePer } from '../../common/kept.js';
import { mostProblems, type Problem } from '../../model/errors/problem.js';
import { mostObjectsSent } from '../../model/limits.js';
import { NamedValues, type Variables } from '../../model/selection.js';
import { type Constraint, constraintOf } from '../inputs/filters.js';
import { fragmentsOf } from '../operation/selected-nodes.js';
import { checkedType, checkInput } from './check-input.js';

/**
 * Checks the variables of an operation of a valid document, whose types are looked up once. Returns the first problems, with
 * how many more each variable has, and those without problems as GraphQL coerces them, with defaults.
 */
export function createVariableCheck(schema: GraphQLSchema) {
  const declaredBy = oncePer((definition: OperationDefinitionNode, document: DocumentNode) =>
    declaredVariables(schema, document, definition),
  );
  return (document: DocumentNode, definition: OperationDefinitionNode, variables: Variables) => {
    const problems: Problem[] = [];
    const coerced = new NamedValues();
    for (const { name, type, bounds, usual } of declaredBy(definition, document)) {
      const given = variables[name];
      if (given === undefined && usual !== undefined) {
        coerced[name] = usual;
        continue;
      }
      const room = Math.max(0, mostProblems - problems.length);
      const { problems: found, value } = checkInput(given, { type, constraint: bounds }, [name], { room });
      if (found.length > 0) problems.push(...found);
      if (value !== undefined) coerced[name] = value;
    }
    return { problems, coerced };
  };
}

/** The variables with their types and bounds; `usual` is the value of a default. */
function declaredVariables(schema: GraphQLSchema, document: DocumentNode, definition: OperationDefinitionNode) {
  const { variableDefinitions = [] } = definition;
  if (variableDefinitions.length === 0) return [];
  const bounds = variableBounds(schema, document, definition);
  return variableDefinitions.flatMap(({ variable, type: typeNode, defaultValue }) => {
    const type = typeFromAST(schema, typeNode);
    if (!isInputType(type)) return [];
    const name = variable.name.value;
    const usual = defaultValue && valueFromAST(defaultValue, type);
    return [{ name, type: checkedType(type), bounds: bounds.get(name) ?? anyBounds, usual }];
  });
}

// How long lists in variables may be, found from the places where an operation uses them: a list of 200,000 items is
// refused by its length, before any item is coerced or checked. And whether they may be null: GraphQL lets a variable that
// has a default stand where null is not taken, and then fails while it executes, with the values of the argument in its message.

/** The part of a constraint that says how much there may be, and whether it may be null. */
type Bounds = Pick<Constraint, 'maximumLength' | 'mostObjects' | 'mostValues' | 'notNull' | 'takesPast'>;

/** The bounds of a variable that is used nowhere. */
const anyBounds: Bounds = { mostObjects: mostObjectsSent };

/**
 * The bounds of an operation's variables by their names. A variable in several places may hold what one of them takes,
 * but null only if all of them take it.
 */
export function variableBounds(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): ReadonlyMap<string, Bounds> {
  const bounds = new Map<string, Bounds>();
  const types = new TypeInfo(schema);
  const fragments = fragmentsOf(document);
  // The operation and the fragments that it spreads, at any depth; those of other operations do not matter to it.
  const used = new Set<DefinitionNode>([operation]);
  const visitor = visitWithTypeInfo(types, {
    VariableDefinition: () => false,
    FragmentSpread({ name }) {
      const fragment = fragments.get(name.value);
      if (fragment) used.add(fragment);
    },
    Variable({ name: { value: name } }, _key, parent) {
      const around = types.getArgument();
      const found: Bounds = {
        ...(around ? boundsAt(constraintOf(around), parent, types.getParentInputType()) : anyBounds),
        notNull: isNonNullType(types.getInputType()) ? 'leave it out, or send a value' : undefined,
      };
      const known = bounds.get(name);
      bounds.set(name, known ? looser(known, found) : found);
    },
  });
  for (const definition of used) visit(definition, visitor);
  return bounds;
}

/** The bounds of a variable inside an argument, whose own numbers of objects and values hold for all that is in it. */
function boundsAt(
  { maximumLength, mostObjects = mostObjectsSent, mostValues, takesPast }: Constraint,
  parent: ASTNode | readonly ASTNode[] | undefined,
  type: GraphQLInputType | null | undefined,
): Bounds {
  const node = parent && 'kind' in parent ? parent : undefined;
  if (node?.kind === Kind.ARGUMENT) return { maximumLength, mostObjects, mostValues, takesPast };
  const named = getNamedType(type);
  const field =
    node?.kind === Kind.OBJECT_FIELD && isInputObjectType(named) ? named.getFields()[node.name.value] : undefined;
  return { maximumLength: field && constraintOf(field).maximumLength, mostObjects, mostValues, takesPast };
}

const looser = (one: Bounds, other: Bounds): Bounds => ({
  maximumLength: larger(one.maximumLength, other.maximumLength),
  mostObjects: larger(one.mostObjects, other.mostObjects),
  mostValues: larger(one.mostValues, other.mostValues),
  notNull: one.notNull ?? other.notNull,
  takesPast: one.takesPast && other.takesPast,
});

/** Undefined is no bound. */
const larger = (one: number | undefined, other: number | undefined): number | undefined =>
  one === undefined || other === undefined ? undefined : Math.max(one, other);
