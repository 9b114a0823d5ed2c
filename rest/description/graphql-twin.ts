/** How the description shows the GraphQL operation that an endpoint means. */

export interface GraphqlTwin {
  name: string;
  document: string;
  /** The variables of the example call. */
  variables: Record<string, unknown>;
}

export interface DescribedTwin {
  'x-graphql-operation': GraphqlTwin;
  'x-codeSamples': { lang: string; label: string; source: string }[];
}

export const describeTwin = (twin: GraphqlTwin): DescribedTwin => ({
  'x-graphql-operation': twin,
  'x-codeSamples': [
    { lang: 'graphql', label: 'GraphQL', source: twin.document },
    { lang: 'json', label: 'Variables', source: JSON.stringify(twin.variables, null, 2) },
  ],
});

/** A link of the reference, relative to the description. */
export const openInGraphiql = (name: string): string =>
  `In GraphQL: \`${name}\` ([open in GraphiQL](graphql#operation=${name})).`;
