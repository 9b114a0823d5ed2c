import { BREAK, type DocumentNode, Kind, visit } from 'graphql';
import { errors } from '../errors.js';
import { mostAliases, mostDirectives, mostFragments } from './sizes.js';

/** Refuses a document with too much in it, wherever it stands. @throws QUERY_TOO_COMPLEX */
export function refuseLargeShape(document: DocumentNode): void {
  const fragments = document.definitions.filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION).length;
  if (fragments > mostFragments) throw errors.queryTooComplex('fragments', mostFragments);
  let aliases = 0;
  let directives = 0;
  visit(document, {
    Field: ({ alias }) => (alias && ++aliases > mostAliases ? BREAK : undefined),
    Directive: () => (++directives > mostDirectives ? BREAK : undefined),
  });
  if (aliases > mostAliases) throw errors.queryTooComplex('aliases', mostAliases);
  if (directives > mostDirectives) throw errors.queryTooComplex('directives', mostDirectives);
}
