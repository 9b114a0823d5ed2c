/** `?_explain=graphql` asks what a request would do instead of doing it. */
export const explainParameter = '_explain';
export const explainValue = 'graphql';

/** Whether a request asks to be explained, even if by a value that is refused: it is then never performed. */
export const asksToExplain = ({ query }: { query: URLSearchParams }): boolean => query.has(explainParameter);
