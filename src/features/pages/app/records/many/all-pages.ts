import type { FieldAbout, TypeAbout } from '../../../about.js';
import { askAll } from '../../api/graphql.js';
import type { Row } from '../list/grid.js';
import { blockSize, type ListState, variablesOf } from '../list/list-state.js';
import { listOperation } from '../operations.js';

type Page = { nodes: Row[]; pageInfo: { hasNextPage: boolean; endCursor: string } };

/** All of a list. Each page begins at a cursor, so the last costs what the first does. */
export async function* allPages(type: TypeAbout, state: ListState, columns: FieldAbout[], signal?: AbortSignal) {
  const variables = variablesOf(type, { ...state, page: 1, size: blockSize });
  for (let after: string | undefined, isLast = false; !isLast; ) {
    const operation = listOperation(type, { ...variables, after }, columns);
    const { [type.many]: page } = await askAll<Record<string, Page>>(operation, signal);
    yield page?.nodes ?? [];
    isLast = !page?.pageInfo.hasNextPage;
    after = page?.pageInfo.endCursor;
  }
}
