import type { TestGateway } from '../support/gateway.js';
import { ask } from './ask.js';

export const acting = `mutation ($ids: [ID!], $where: AssetRepairFilter, $action: RecordAction!, $input: UpdateAssetRepairInput, $try: Boolean! = false, $after: ID) {
  done: actOnManyAssetRepairs(ids: $ids, where: $where, action: $action, input: $input, validateOnly: $try, after: $after) {
    matching moreAfter
    results { recordId done version userErrors { code path message currentState allowedActions } }
    userErrors { code path message }
  }
}`;

interface ResultOfOne {
  recordId: string;
  done: boolean;
  version: number | null;
  userErrors: { code: string; path: string[]; message: string }[];
}

export interface ActedOnMany {
  matching: number | null;
  moreAfter: string | null;
  results: ResultOfOne[];
  userErrors: { code: string; path: string[]; message: string }[];
}

/** The payload of `actOnManyAssetRepairs`. */
export const actOn = async (
  gateway: Pick<TestGateway, 'graphql'>,
  variables: Record<string, unknown>,
): Promise<ActedOnMany> => (await ask(gateway, acting, variables)).done;

/** Each result as its place among `ids`, its version, and the code of its refusal. */
export const shortly = (ids: readonly string[], { results }: ActedOnMany) =>
  results.map(({ recordId, done, version, userErrors }) =>
    [ids.indexOf(recordId), done ? 'done' : userErrors.map(({ code }) => code).join(), version].join(' '),
  );
