import { BREAK, type DefinitionNode, type DocumentNode, Kind, visit } from 'graphql';
import { errors } from '../../model/errors/errors.js';
import { mostAliases, mostDirectives, mostFragments, mostPairs } from './sizes.js';

/**
 * Refuses a document with too many fragments, aliases, directives or equal response names. @throws QUERY_TOO_COMPLEX
 */
export function refuseLargeShape(document: DocumentNode): void {
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
