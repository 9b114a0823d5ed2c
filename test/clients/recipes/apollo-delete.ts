import { type ApolloClient, gql, type TypedDocumentNode } from '@apollo/client';

const deleteRepair: TypedDocumentNode<{ deleteAssetRepair: { deletedId: string | null } | null }, { id: string }> = gql`
  mutation Delete($id: ID!) { deleteAssetRepair(id: $id) { deletedId userErrors { message } } }
`;

export const remove = (client: ApolloClient, id: string) =>
  client.mutate({
    mutation: deleteRepair,
    variables: { id },
    update(cache, { data }) {
      const { deletedId } = data?.deleteAssetRepair ?? {};
      if (deletedId) cache.evict({ id: `AssetRepair:${deletedId}` });
    },
  });
