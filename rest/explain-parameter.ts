/** `?_explain=graphql` asks what a request would do instead of doing it. */
export const explainParameter = '_explain';
export const explainValue = 'graphql';
