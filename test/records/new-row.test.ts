import { expect, test } from 'vitest';
import { newRow } from '../../src/change/values.js';
import { resourceOf, resources } from '../support/resources.js';

test('the row of a new record takes from the input its fields alone', () => {
  const line = { parentId: 'a', parentType: 'Any', completedQty: 2 };
  const hidden = { jobCardId: 'job-card_of_another', id: 'own', version: 9, constructor: 1 };
  const { id, ...row } = newRow(resourceOf('JobCardTimeLog'), { ...line, ...hidden });
  expect(row).toMatchObject({ ...line, jobCardId: null });
  expect(id).toMatch(/^job-card-time-log_/);
  expect(Object.keys(row)).not.toContain('version');
  expect(Object.hasOwn(row, 'constructor')).toBe(false);
});

test.each(resources.map((resource) => [resource.model, resource] as const))(
  '%s: a field given is in the row',
  (_, resource) => {
    const input = Object.fromEntries(resource.fields.map(({ name }) => [name, `given ${name}`]));
    expect(newRow(resource, input)).toMatchObject(input);
  },
);
