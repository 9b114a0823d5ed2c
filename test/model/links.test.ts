/** Links: the names of their fields, and their documentation. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { datamodel } from '../../src/generated/datamodel.js';
import { catalogue } from '../../src/model/catalogue.js';
import { createResources } from '../../src/model/create-resources.js';
import { resources } from '../support/resources.js';

const links = resources.flatMap((resource) => resource.links.map((link) => ({ ...link, model: resource.model })));

test('the documentation lists every link with the way back', () => {
  const page = readFileSync('docs/graphql.md', 'utf8');
  const shown = [...page.matchAll(/^\| `(\w+)\.(\w+)` \| a `(\w+)` by its `(\w+)` \| `(\w+)\.(\w+)` \|$/gm)];
  const known = links.map(({ model, text, resource, by }) => {
    const wayBack = resource.waysBack.find(
      ({ link }) => link.text === text && link.resource === resource && link.by === by,
    );
    const back = resource.waysBack.find((each) => each.resource.model === model && each.link.text === text);
    expect(wayBack).toBeDefined();
    return [model, text, resource.model, by, resource.model, back?.field];
  });
  expect(known.length).toBeGreaterThan(0);
  expect(shown.map((row) => row.slice(1))).toEqual(known);
});

/** The models with another line in the description of a field. */
const described = (model: string, field: string, line: string) => ({
  models: datamodel.models.map((each) => ({
    ...each,
    fields: each.fields.map((one) =>
      each.name === model && one.name === field ? { ...one, documentation: `A text.\n${line}` } : one,
    ),
  })),
});

test.each([
  ['Nothing', 'id', /Quotation\.opportunity: its text can name no Nothing by id/],
  ['SerialNo', 'brand', /its text can name no SerialNo by brand/],
  ['SerialNo', 'warrantyPeriod', /its text can name no SerialNo by warrantyPeriod/],
])('a link to %s by %s is refused at the start', (model, by, message) => {
  const models = described('Quotation', 'opportunity', `Links to: ${model} by ${by}.`);
  expect(() => createResources(models, catalogue)).toThrow(message);
});

test('a link whose field is called like another is refused at the start', () => {
  const models = described('Quotation', 'opportunity', 'Links to: SerialNo by serialNo.');
  const taken = {
    models: models.models.map((model) => ({
      ...model,
      fields: model.fields.map((field) =>
        model.name === 'Quotation' && field.name === 'inWords' ? { ...field, name: 'opportunityRecord' } : field,
      ),
    })),
  };
  expect(() => createResources(models, catalogue)).not.toThrow();
  expect(() => createResources(taken, catalogue)).toThrow(/Quotation: two fields would be called opportunityRecord/);
});
