import type { AnyVariables, Client, OperationResult, TypedDocumentNode } from 'urql';

const pauses = [500, 1_000, 2_000, 4_000];

/** Sends a mutation, and again if no answer comes: `onceExchange` makes sure that it happens once. */
export async function mutate<Data, Variables extends AnyVariables>(
  client: Client,
  document: TypedDocumentNode<Data, Variables>,
  variables: Variables,
): Promise<OperationResult<Data, Variables>> {
  for (const pause of pauses) {
    const result = await client.mutation(document, variables).toPromise();
    if (!result.error?.networkError) return result;
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
  return client.mutation(document, variables).toPromise();
}
