import { type ApolloClient, gql, type TypedDocumentNode } from '@apollo/client';
import type { Repair } from './apollo-list.js';

interface Problem {
  __typename: 'UserError';
  code: string;
  path: string[];
  message: string;
  currentVersion: number | null;
}

interface Saved {
  saveAssetRepair: { __typename: 'AssetRepairPayload'; record: Repair | null; userErrors: Problem[] } | null;
}

type Values = Partial<Pick<Repair, 'asset' | 'description'>>;

const saveRepair: TypedDocumentNode<Saved, { id: string; input: Values; expectedVersion: number }> = gql`
  mutation Save($id: ID!, $input: SaveAssetRepairInput!, $expectedVersion: Int) {
    saveAssetRepair(id: $id, input: $input, expectedVersion: $expectedVersion) {
      record { id version asset description }
      userErrors { code path message currentVersion }
    }
  }
`;

const repairNow: TypedDocumentNode<{ assetRepair: Repair | null }, { id: string }> = gql`
  query Now($id: ID!) { assetRepair(id: $id) { id version asset description } }
`;

type Outcome = { saved: Repair } | { conflict: Repair | null } | { problems: Problem[] };

/** Shows the values at once. If they can't be saved, Apollo takes them back, and the outcome says why. */
export async function save(client: ApolloClient, edited: Repair, input: Values): Promise<Outcome> {
  const { id, version } = edited;
  const { data } = await client.mutate({
    mutation: saveRepair,
    variables: { id, input, expectedVersion: version },
    optimisticResponse: {
      saveAssetRepair: { __typename: 'AssetRepairPayload', record: { ...edited, ...input }, userErrors: [] },
    },
  });
  const { record, userErrors = [] } = data?.saveAssetRepair ?? {};
  if (record) return { saved: record };
  if (!userErrors.some(({ code }) => code === 'VERSION_CONFLICT')) return { problems: userErrors };
  // Somebody has saved meanwhile. Show what they saved beside the user's values, and save what the user decides: with this as `edited`.
  const now = await client.query({ query: repairNow, variables: { id }, fetchPolicy: 'network-only' });
  return { conflict: now.data?.assetRepair ?? null };
}
