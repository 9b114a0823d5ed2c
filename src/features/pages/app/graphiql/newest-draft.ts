import { askAll } from '../api/graphql.js';

/** The operations of the tabs that need a draft to work on. Their text says where the id comes from. */
const operations = ['SubmitRepair', 'SaveRepair', 'StaleSave'];

/** Whether an operation of a tab is run without an id, which is then that of the newest draft. */
export const namesIdItself = (
  query: string,
  name?: string | null,
  variables?: Record<string, unknown> | null,
): boolean => operations.includes(name ?? '') && query.includes('newest draft') && !variables?.id;

export async function newestDraft(key: string): Promise<string | undefined> {
  const query = '{ assetRepairs(first: 1, where: { status: { eq: DRAFT } }) { nodes { id } } }';
  const { assetRepairs } = await askAll<{ assetRepairs: { nodes: { id: string }[] } }>(key, query);
  return assetRepairs.nodes[0]?.id;
}
