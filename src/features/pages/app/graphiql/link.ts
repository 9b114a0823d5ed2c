import { pathOf } from '../router.js';

/** A link that opens an operation in GraphiQL. It is behind `#`, so that values do not reach a log. */
export function graphiqlLink({ query, variables }: { query: string; variables?: object }): string {
  const parts = new URLSearchParams({ query, ...(variables ? { variables: JSON.stringify(variables) } : {}) });
  return `${pathOf('graphql')}#${parts}`;
}
