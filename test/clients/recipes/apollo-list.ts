import { type ApolloClient, gql, type TypedDocumentNode } from '@apollo/client';
import { concatMap, Subject } from 'rxjs';

export interface Repair {
  __typename: 'AssetRepair';
  id: string;
  version: number;
  asset: string | null;
  description: string | null;
}

interface Repairs {
  assetRepairs: {
    edges: { __typename: 'AssetRepairEdge'; node: Repair }[];
    pageInfo: { hasNextPage: boolean; endCursor: string | null };
  };
}

interface Changed {
  assetRepairChanged: {
    notice: 'OPENED' | 'TOO_OLD' | null;
    deletedId: string | null;
    leftId: string | null;
    record: Repair | null;
  };
}

const shown = 'id version asset description';

export const repairList: TypedDocumentNode<Repairs, { where?: object; after?: string | null }> = gql`
  query Repairs($where: AssetRepairFilter, $after: String) {
    assetRepairs(first: 20, where: $where, after: $after) {
      edges { node { ${shown} } }
      pageInfo { hasNextPage endCursor }
    }
  }
`;

const repairChanged: TypedDocumentNode<Changed, { where?: object; after?: string }> = gql`
  subscription Changed($where: AssetRepairFilter, $after: String) {
    assetRepairChanged(where: $where, after: $after) {
      position notice deletedId leftId
      record { ${shown} }
    }
  }
`;

/** A list that grows at its end as the user scrolls, newest first, and changes as others change it. */
export function liveList(client: ApolloClient, where: object, onError: (error: unknown) => void) {
  const list = client.watchQuery({ query: repairList, variables: { where } });
  // One after the other: a page that was read before a change must not come in after it.
  const work = new Subject<() => unknown>();
  const done = work.pipe(concatMap(async (each) => each())).subscribe({ error: onError });
  const events = client
    .subscribe({ query: repairChanged, variables: { where }, errorPolicy: 'all' })
    .subscribe(({ data, error }) => work.next(() => (data ? take(data.assetRepairChanged) : onError(error))));

  async function take({ deletedId, leftId, record }: Changed['assetRepairChanged']): Promise<void> {
    const gone = deletedId ?? leftId;
    if (record) include(record);
    else if (gone) change((edges) => edges.filter(({ node }) => node.id !== gone));
    // The stream has opened, changes were missed, or a record could not be read.
    else await list.refetch();
    if (deletedId) client.cache.evict({ id: `AssetRepair:${deletedId}` });
  }

  /** What the cache holds of the record is changed already. */
  function include(node: Repair): void {
    change((edges, { hasNextPage }) => {
      if (edges.some((edge) => edge.node.id === node.id)) return edges;
      // Ids rise with time.
      const place = edges.findIndex((edge) => edge.node.id < node.id);
      if (place < 0 && hasNextPage) return edges; // A later page has it.
      const before = place < 0 ? edges : edges.slice(0, place);
      return [...before, { __typename: 'AssetRepairEdge', node }, ...edges.slice(before.length)];
    });
  }

  type Connection = Repairs['assetRepairs'];
  function change(next: (edges: Connection['edges'], pageInfo: Connection['pageInfo']) => Connection['edges']): void {
    client.cache.updateQuery({ query: repairList, variables: { where } }, (held) => {
      const { assetRepairs } = held ?? {};
      if (!assetRepairs) return;
      return { assetRepairs: { ...assetRepairs, edges: next(assetRepairs.edges, assetRepairs.pageInfo) } };
    });
  }

  return {
    list,
    /** To be called when the end of the list comes into view. */
    showMore: () =>
      work.next(() => {
        const held = client.readQuery({ query: repairList, variables: { where } });
        const { hasNextPage, endCursor } = held?.assetRepairs.pageInfo ?? {};
        return hasNextPage && list.fetchMore({ variables: { after: endCursor } });
      }),
    close: () => {
      events.unsubscribe();
      done.unsubscribe();
    },
  };
}
