/** A call that is tried in the reference contains the examples of its parameters: none of them makes a call fail. */
import { describe, expect, test } from 'vitest';
import { changeParameters } from '../../rest/request/change-parameters.js';
import type { Parameter } from '../../rest/request/parameter.js';
import { onDatabaseInTurn } from '../contract/on-both-databases.js';
import { documented, someRecord } from '../contract/records.js';
import { resources } from '../support/resources.js';
import { restOperations } from '../support/rest-operations.js';

const reads = restOperations.filter(({ method, resource }) => method === 'GET' && resource.kind !== 'child');

/** Each optional parameter that has an example, once for each operation that has it. */
const examples = new Map<string, { path: string; title: string; parameter: Parameter }>();
const addAll = (name: string, path: string, title: string, parameters: readonly Parameter[]) => {
  for (const parameter of parameters)
    if (!parameter.required && parameter.example !== undefined)
      examples.set(`${name}: ${parameter.name}`, { path, title, parameter });
};
for (const { operation, resource, path, parameters } of reads)
  addAll(`${operation} of a ${resource.kind}`, path, resource.title, parameters);
addAll('changes', '/api/changes', 'Asset Repair', changeParameters(resources));

onDatabaseInTurn(import.meta.filename, (gateway) => {
  describe('the example of', () => {
    test.each([...examples])('%s', async (_, { path, title, parameter: { name, in: place, example } }) => {
      const resource = documented(title);
      const { id } = await someRecord(gateway(), resource);
      const query = place === 'query' ? `?${new URLSearchParams([[name, String(example)]])}` : '';
      const headers: Record<string, string> = place === 'header' ? { [name]: String(example) } : {};
      const answer = await gateway().rest('GET', path.replace('{id}', id) + query, undefined, headers);
      expect([200, 304], answer.text).toContain(answer.status);
    });
  });
});
