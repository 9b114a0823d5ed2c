import type { TestGateway } from '../support/gateway.js';

/** What the gateway has logged as its own fault. */
export function faultsOf({ logLines }: Pick<TestGateway, 'logLines'>): string[] {
  return logLines.filter((line) => ['error', 'fatal'].includes(JSON.parse(line).level));
}
