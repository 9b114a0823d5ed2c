/**
 * The cost of an operation, computed from the operation and its variables before it is validated or executed, so it
 * does not depend on how the operation is executed. docs/cost.md has the formula.
 */
import {
  type ASTNode,
  BREAK,
  type DefinitionNode,
  type DocumentNode,
  type GraphQLSchema,
  getOperationAST,
  Kind,
  type OperationDefinitionNode,
  visit,
} from 'graphql';
import { isObject } from '../../common/is-object.js';
import { errors } from '../../model/errors/errors.js';
import type { Variables } from '../../model/selection.js';
import { fragmentsOf } from '../operation/selected-nodes.js';
import { type CostTerm, evaluated, totalCost } from './cost-parts.js';
import { selectionCostOf, TooDeep } from './selection-cost.js';
import {
  charactersOfValue,
  deepestFields,
  mostAliases,
  mostArgumentCharacters,
  mostDirectives,
  mostFragments,
  mostPairs,
  mostPreviews,
  mostRootFields,
  presumedLines,
} from './sizes.js';

export interface CostReport {
  /** The number of values that the answer can hold. */
  requested: number;
  /** The highest cost allowed. */
  limit: number;
}

/** Computes the cost of an operation. @throws QUERY_TOO_COMPLEX */
export type CheckCost = (
  document: DocumentNode,
  definition: OperationDefinitionNode,
  variables: Variables,
) => CostReport;

/** `limit` is the highest cost allowed. The part that does not depend on variables is computed once per operation. */
export function createCostCheck(schema: GraphQLSchema, limit: number): CheckCost {
  const known = new WeakMap<OperationDefinitionNode, Cost>();

  return (document, definition, variables) => {
    const cost = known.get(definition) ?? costIn(schema, document, definition);
    known.set(definition, cost);
    const requested = cost(variables);
    if (requested > limit) throw errors.queryTooComplex('cost', limit, requested);
    return { requested, limit };
  };
}

/**
 * The cost of an operation, whatever its amount; undefined where the document has no such operation. @throws
 * QUERY_TOO_COMPLEX where its depth, width or text is too large
 */
export function costOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  variables: Variables = {},
  operationName?: string | null,
): number | undefined {
  const operation = getOperationAST(document, operationName);
  return operation ? costIn(schema, document, operation)(variables) : undefined;
}

type Cost = (variables: Variables) => number;

function costIn(schema: GraphQLSchema, document: DocumentNode, operation: OperationDefinitionNode): Cost {
  refuseLargeShape(document);
  const { weight, shared } = weigh(() => selectionCostOf(schema, document, operation));
  if (weight.depth > deepestFields) throw errors.queryTooComplex('depth', deepestFields, weight.depth);
  if (weight.width > mostRootFields) throw errors.queryTooComplex('root_fields', mostRootFields, weight.width);
  if (weight.previews > mostPreviews) throw errors.queryTooComplex('previews', mostPreviews, weight.previews);
  const cost: CostTerm = totalCost(weight, presumedLines);
  const checkArguments = argumentsCheck(document, operation);
  return (variables) => {
    checkArguments(variables);
    return Math.ceil(evaluated(cost, shared, variables));
  };
}

function weigh<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw error instanceof TooDeep ? errors.queryTooComplex('depth', deepestFields) : error;
  }
}

/**
 * Refuses a document with too many fragments, aliases, directives or equal response names. @throws QUERY_TOO_COMPLEX
 */
function refuseLargeShape(document: DocumentNode): void {
  const fragments = document.definitions.filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION).length;
  // Validation compares each with each, also those that are not there.
  const spread = new Set<string>();
  let aliases = 0;
  let directives = 0;
  visit(document, {
    FragmentSpread: ({ name }) => (spread.add(name.value).size > mostFragments ? BREAK : undefined),
    Field: ({ alias }) => (alias && ++aliases > mostAliases ? BREAK : undefined),
    Directive: () => (++directives > mostDirectives ? BREAK : undefined),
  });
  if (Math.max(fragments, spread.size) > mostFragments) throw errors.queryTooComplex('fragments', mostFragments);
  if (aliases > mostAliases) throw errors.queryTooComplex('aliases', mostAliases);
  if (directives > mostDirectives) throw errors.queryTooComplex('directives', mostDirectives);
  if (pairsIn(document) > mostPairs) throw errors.queryTooComplex('pairs', mostPairs);
}

/**
 * An upper bound of the pairs of fields with the same response name that validation compares: those of an operation
 * with each other and with those of all fragments. It never compares fields of different operations.
 */
function pairsIn({ definitions }: DocumentNode): number {
  const inFragments = new Map<string, number>();
  const inOperations: Map<string, number>[] = [];
  for (const definition of definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) countNames(definition, inFragments);
    else if (definition.kind === Kind.OPERATION_DEFINITION) inOperations.push(countNames(definition, new Map()));
  }
  const names = new Map(inFragments);
  for (const operation of inOperations) {
    for (const [name, count] of operation) {
      names.set(name, Math.max(names.get(name) ?? 0, count + (inFragments.get(name) ?? 0)));
    }
  }
  let pairs = 0;
  for (const count of names.values()) pairs += (count * (count - 1)) / 2;
  return pairs;
}

/** How often each response name occurs. */
function countNames(definition: DefinitionNode, names: Map<string, number>): Map<string, number> {
  visit(definition, {
    Field({ alias, name }) {
      const key = (alias ?? name).value;
      names.set(key, (names.get(key) ?? 0) + 1);
    },
  });
  return names;
}

// The size of all arguments of an operation. A variable may be named many times, and a fragment be spread many times: a
// text of 900 kB that is named a hundred times would be read, converted and bound a hundred times.

/** Refuses variables with which the arguments are too large. @throws QUERY_TOO_COMPLEX */
type CheckArguments = (variables: Variables) => void;

/** How often a part of a document names each variable and spreads each fragment, and the size of its own values. */
interface Uses {
  characters: number;
  variables: Map<string, number>;
  spreads: Map<string, number>;
}

function argumentsCheck(document: DocumentNode, operation: OperationDefinitionNode): CheckArguments {
  const { characters, variables: uses } = usesIn(document, operation);
  // The value of a variable that is named once is no larger than the request.
  const repeated = [...uses].filter(([, count]) => count > 1);
  return (variables) => {
    let size = characters;
    for (const [name, count] of repeated) {
      const value = variables[name];
      // A number or a boolean takes no time, however often it is named.
      if (typeof value !== 'string' && (typeof value !== 'object' || value === null)) continue;
      size += count * sizeOf(value, (mostArgumentCharacters - size) / count);
      if (size > mostArgumentCharacters) break;
    }
    if (size > mostArgumentCharacters) throw errors.queryTooComplex('characters', mostArgumentCharacters);
  };
}

/** The uses of an operation and of its fragments, each fragment counted as often as it is spread. */
function usesIn(document: DocumentNode, operation: OperationDefinitionNode): Uses {
  const fragments = fragmentsOf(document);
  const known = new Map<string, Uses>();
  const ofFragment = (name: string): Uses => {
    const found = known.get(name);
    if (found) return found;
    // A fragment that spreads itself is refused by validation.
    known.set(name, noUses());
    const fragment = fragments.get(name);
    const uses = fragment ? whole(fragment) : noUses();
    known.set(name, uses);
    return uses;
  };
  const whole = (node: ASTNode): Uses => {
    const uses = ownUses(node);
    for (const [name, count] of uses.spreads) {
      const inner = ofFragment(name);
      uses.characters += count * inner.characters;
      for (const [variable, times] of inner.variables) increase(uses.variables, variable, count * times);
    }
    return uses;
  };
  return whole(operation);
}

function ownUses(node: ASTNode): Uses {
  const uses = noUses();
  visit(node, {
    VariableDefinition: () => false,
    Variable: ({ name }) => increase(uses.variables, name.value, 1),
    FragmentSpread: ({ name }) => increase(uses.spreads, name.value, 1),
    StringValue: ({ value }) => {
      uses.characters += charactersOfValue + value.length;
    },
  });
  return uses;
}

const noUses = (): Uses => ({ characters: 0, variables: new Map(), spreads: new Map() });

const increase = (counts: Map<string, number>, name: string, by: number): void => {
  counts.set(name, (counts.get(name) ?? 0) + by);
};

/** The size of a value; above `most` it stops counting. */
function sizeOf(value: unknown, most: number): number {
  let size = charactersOfValue;
  if (typeof value === 'string') size += value.length;
  else if (Array.isArray(value)) {
    for (const item of value) {
      if (size > most) break;
      size += sizeOf(item, most - size);
    }
  } else if (isObject(value)) {
    for (const name in value) {
      if (size > most) break;
      size += sizeOf(value[name], most - size);
    }
  }
  return size;
}
