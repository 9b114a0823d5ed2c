/** A page with Apollo Client, as docs/apollo.md shows it. */
import { type ApolloClient, gql, type PossibleTypesMap } from '@apollo/client';
import { clientOf } from '../recipes/apollo-client.js';
import { remove as removeRepair } from '../recipes/apollo-delete.js';
import { liveList, type Repair } from '../recipes/apollo-list.js';
import { save as saveRepair } from '../recipes/apollo-save.js';

let client: ApolloClient;
let requests = 0;
const plainFetch = globalThis.fetch;

export function open(key: string, possibleTypes: PossibleTypesMap): void {
  globalThis.fetch = (...request) => {
    requests++;
    return plainFetch(...request);
  };
  client = clientOf('/graphql', { authorization: `Bearer ${key}` }, possibleTypes);
  requests = 0;
}

export const requestsSoFar = (): number => requests;

export const ask = async (query: string, variables: Record<string, unknown>) =>
  (await client.query<Record<string, object>>({ query: gql(query), variables })).data;

/** Gets the next page of the list, as `fetchMore` of a component does. */
export async function more(query: string, variables: Record<string, unknown>, after: string): Promise<void> {
  const list = client.watchQuery({ query: gql(query), variables });
  const shown = list.subscribe(() => {});
  await list.fetchMore({ variables: { after } });
  shown.unsubscribe();
}

/** The lists that were shown one after the other, and what went wrong. */
const lists: Repair[][] = [];
const errors: string[] = [];
let live: ReturnType<typeof liveList>;

export function show(where: object): void {
  lists.splice(0);
  errors.splice(0);
  live = liveList(client, where, (error) => void errors.push(String(error)));
  live.list.subscribe(({ data, dataState }) => {
    if (dataState === 'complete') lists.push(data.assetRepairs.edges.map(({ node }) => node));
  });
}

export const showMore = (): void => live.showMore();
export const close = (): void => live.close();
export const seen = (): Repair[] => lists.at(-1) ?? [];
export const seenSoFar = (): Repair[][] => lists;
export const wrong = (): string[] => errors;

export const save = (edited: Repair, input: { asset?: string; description?: string }) =>
  saveRepair(client, edited, input);
export const remove = async (id: string): Promise<void> => void (await removeRepair(client, id));
