/** How the description shows the GraphQL operation that an endpoint means. */
import { documentPath } from '../operation-names.js';

export interface GraphqlTwin {
  name: string;
  document: string;
  /** The variables of the example call. */
  variables: Record<string, unknown>;
}

export interface DescribedTwin {
  /** The document is served by itself, because all of them together are as long as the rest of the description. */
  'x-graphql-operation': { name: string; externalValue: string };
}

/** The address of the document is relative to that of the description. */
export const describeTwin = (name: string): DescribedTwin => ({
  'x-graphql-operation': { name, externalValue: documentPath(name).slice(1) },
});
