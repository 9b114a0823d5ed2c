import type { TestGateway } from '../support/gateway.js';

/** The faults that the gateway has logged. */
export function faultsOf({ logLines }: Pick<TestGateway, 'logLines'>): string[] {
  return logLines.filter((line) => ['error', 'fatal'].includes(JSON.parse(line).level));
}
