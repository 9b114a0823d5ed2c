/**
 * The cost of an operation, computed from the operation and its variables before it is validated or executed, so it
 * does not depend on how the operation is executed. docs/cost.md has the formula.
 */

import {
  type DefinitionNode,
  type DocumentNode,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  valueFromASTUntyped,
  visit,
} from 'graphql';
import { oncePer } from '../../common/kept.js';
import { errors } from '../../model/errors/errors.js';
import { NamedValues, type Variables } from '../../model/selection.js';
import { type Fragments, fragmentsOf } from '../operation/selected-nodes.js';
import { totalCost } from './cost-parts.js';
import { selectionCostOf } from './selection-cost.js';
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
  limit: number;
}

/** What is known of an operation by its weight. */
export interface Weight {
  cost: CostReport;
  /** Whether there may be more values than are counted, because the answer has lists of objects. */
  hasLists: boolean;
}

/**
 * Makes what computes the cost of an operation, and throws QUERY_TOO_COMPLEX. `limit` is the highest cost allowed. The part
 * that does not depend on variables is computed once per operation.
 */
export function createCostCheck(schema: GraphQLSchema, limit: number) {
  const costOfDefinition = oncePer((definition: OperationDefinitionNode, document: DocumentNode) =>
    costIn(schema, document, definition),
  );
  return (document: DocumentNode, definition: OperationDefinitionNode, variables: Variables): Weight => {
    const cost = costOfDefinition(definition, document);
    const requested = cost.of(variables);
    if (requested > limit) throw errors.queryTooComplex('cost', limit, requested);
    return { cost: { requested, limit }, hasLists: cost.hasLists };
  };
}

function costIn(schema: GraphQLSchema, document: DocumentNode, operation: OperationDefinitionNode) {
  const fragments = fragmentsOf(document);
  const texts = new Map(document.definitions.map((definition) => [definition, textOf(definition)]));
  refuseLargeShape(texts, fragments);
  const weight = selectionCostOf(schema, fragments, operation);
  if (weight.depth > deepestFields) throw errors.queryTooComplex('depth', deepestFields, weight.depth);
  if (weight.width > mostRootFields) throw errors.queryTooComplex('root_fields', mostRootFields, weight.width);
  if (weight.previews > mostPreviews) throw errors.queryTooComplex('previews', mostPreviews, weight.previews);
  const cost = totalCost(weight, presumedLines);
  const complete = completing(operation);
  const checkArguments = argumentsCheck(texts, fragments, operation);
  return {
    hasLists: weight.hasLists,
    of(variables: Variables): number {
      const all = complete(variables);
      checkArguments(all);
      return Math.ceil(typeof cost === 'number' ? cost : cost(all));
    },
  };
}

/** Adds the default values of an operation's variables, where it has any. */
export function completing({ variableDefinitions = [] }: OperationDefinitionNode): (variables: Variables) => Variables {
  const given = variableDefinitions.flatMap(({ variable, defaultValue }) =>
    defaultValue ? [[variable.name.value, valueFromASTUntyped(defaultValue)]] : [],
  );
  if (given.length === 0) return (variables) => variables;
  const defaults = Object.fromEntries(given);
  return (variables) => Object.assign(new NamedValues(), defaults, variables);
}

/** What a definition holds by itself, without the fragments that it spreads. */
interface DefinitionText {
  aliases: number;
  directives: number;
  /** How often it has each response name; a field with arguments counts as two. */
  names: Map<string, number>;
  /** The size of the texts in its values. */
  characters: number;
  /** How often it names each variable, beside declaring it, and spreads each fragment. */
  variables: Map<string, number>;
  spreads: Map<string, number>;
}

function textOf(definition: DefinitionNode): DefinitionText {
  const text: DefinitionText = {
    aliases: 0,
    directives: 0,
    names: new Map(),
    characters: 0,
    variables: new Map(),
    spreads: new Map(),
  };
  visit(definition, {
    Field({ alias, name, arguments: given = [] }) {
      if (alias) text.aliases++;
      increase(text.names, (alias ?? name).value, given.length > 0 ? 2 : 1);
    },
    Directive() {
      text.directives++;
    },
    VariableDefinition: ({ variable }) => increase(text.variables, variable.name.value, -1),
    Variable: ({ name }) => increase(text.variables, name.value, 1),
    FragmentSpread: ({ name }) => increase(text.spreads, name.value, 1),
    StringValue({ value }) {
      text.characters += charactersOfValue + value.length;
    },
  });
  return text;
}

function increase(counts: Map<string, number>, name: string, by: number): void {
  counts.set(name, (counts.get(name) ?? 0) + by);
}

type Texts = ReadonlyMap<DefinitionNode, DefinitionText>;

/**
 * Refuses a document with too many fragments, aliases, directives or equal response names. Validation compares each fragment
 * with each, also those that are not there. @throws QUERY_TOO_COMPLEX
 */
function refuseLargeShape(all: Texts, fragments: Fragments): void {
  const texts = [...all.values()];
  const named = new Set(texts.flatMap(({ spreads }) => [...spreads.keys()]));
  const counts = [
    ['fragments', Math.max(fragments.size, named.size), mostFragments],
    ['aliases', texts.reduce((sum, { aliases }) => sum + aliases, 0), mostAliases],
    ['directives', texts.reduce((sum, { directives }) => sum + directives, 0), mostDirectives],
    ['pairs', pairsIn(all), mostPairs],
  ] as const;
  for (const [measure, count, most] of counts) {
    if (count > most) throw errors.queryTooComplex(measure, most);
  }
}

/**
 * An upper bound of the pairs that validation compares: those of an operation with each other and with those of all
 * fragments. It gives up by itself, but only after a tenth of a second.
 */
function pairsIn(texts: Texts): number {
  const most = new Map<string, number>();
  const inFragments = new Map<string, number>();
  for (const [{ kind }, { names }] of texts) {
    for (const [name, count] of names) {
      if (kind === Kind.FRAGMENT_DEFINITION) increase(inFragments, name, count);
      else most.set(name, Math.max(most.get(name) ?? 0, count));
    }
  }
  for (const [name, count] of inFragments) increase(most, name, count);
  let pairs = 0;
  for (const count of most.values()) pairs += (count * (count - 1)) / 2;
  return pairs;
}

// The size of all arguments of an operation. A variable may be named many times, and a fragment be spread many times: a
// text of 900 kB that is named a hundred times would be read, converted and bound a hundred times.

/** Makes what refuses variables with which the arguments are too large, by throwing QUERY_TOO_COMPLEX. */
function argumentsCheck(texts: Texts, fragments: Fragments, operation: OperationDefinitionNode) {
  const { characters, variables: uses } = usesIn(operation, texts, fragments);
  // The value of a variable that is named once is no larger than the request.
  const repeated = [...uses].filter(([, count]) => count > 1);
  return (variables: Variables): void => {
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

type Uses = Pick<DefinitionText, 'characters' | 'variables'>;

/** The uses in a definition and in its fragments, each counted as often as it is spread; `known` holds those of fragments. */
function usesIn(definition: DefinitionNode, texts: Texts, fragments: Fragments, known = new Map<string, Uses>()): Uses {
  const { characters = 0, variables = [], spreads = [] } = texts.get(definition) ?? {};
  const uses = { characters, variables: new Map(variables) };
  for (const [name, count] of spreads) {
    const fragment = fragments.get(name);
    if (!fragment) continue;
    let inner = known.get(name);
    if (!inner) {
      // A fragment that spreads itself is refused by validation.
      known.set(name, { characters: 0, variables: new Map() });
      inner = usesIn(fragment, texts, fragments, known);
      known.set(name, inner);
    }
    uses.characters += count * inner.characters;
    for (const [variable, times] of inner.variables) increase(uses.variables, variable, count * times);
  }
  return uses;
}

/** The size of a value; above `most` it stops counting. */
function sizeOf(value: unknown, most: number): number {
  let size = charactersOfValue;
  if (typeof value === 'string') size += value.length;
  else if (typeof value === 'object' && value !== null) {
    for (const item of Array.isArray(value) ? value : Object.values(value)) {
      if (size > most) break;
      size += sizeOf(item, most - size);
    }
  }
  return size;
}
