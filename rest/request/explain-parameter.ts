/** `?_explain=graphql` asks what a request would do instead of doing it. */
export const explainParameter = '_explain';
export const explainValue = 'graphql';

/** The parameters that are meant as this one, though some may be misspelled: `_EXPLAIN`, `_explain[]`, `explain=graphql`. */
export const explainParametersIn = (query: URLSearchParams): [name: string, value: string][] =>
  [...query].filter(([name, value]) => isMeant(name, value));

/**
 * Whether a request asks to be explained, even if by a name or a value that is refused: it is then never performed. A
 * client that misspells it expects that nothing happens, so a misspelled one is not ignored as other unknown parameters
 * are.
 */
export const asksToExplain = ({ query }: { query: URLSearchParams }): boolean =>
  query.size > 0 && explainParametersIn(query).length > 0;

function isMeant(name: string, value: string): boolean {
  const letters = name.replace(/[^a-z]/gi, '').toLowerCase();
  return letters === 'explain' && (name.startsWith('_') || value.toLowerCase() === explainValue);
}
