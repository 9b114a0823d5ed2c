import { describe, expect, test } from 'vitest';
import { datamodel } from '../../src/generated/datamodel.js';
import { modelOf, textOf } from './datamodel-lookup.js';
import { documentedResources } from './document.js';
import { knownValues } from './known-values.js';

describe.each(documentedResources)('$title', ({ title }) => {
  test('the model says what the record is for', () => {
    expectRealDescription(title, modelOf(title).documentation);
  });

  test('every field says what it means', () => {
    for (const field of modelOf(title).fields) expectRealDescription(field.name, field.documentation);
  });

  test('no two business fields are described in the same words', () => {
    const descriptions = modelOf(title).fields.map(({ documentation }) => textOf(documentation));
    const repeated = descriptions.filter((description, index) => descriptions.indexOf(description) !== index);
    expect(repeated).toEqual([]);
  });
});

test.each(Object.entries(knownValues))('%s names its known values in readable form', (path, values) => {
  const [modelName, fieldName] = path.split('.');
  const model = datamodel.models.find(({ name }) => name === modelName);
  const field = model?.fields.find(({ name }) => snake(name) === fieldName);
  expect(textOf(field?.documentation)).toMatch(/ Known values: ("[^"]*", )*"[^"]*"\.$/);
  expect(statedValues(textOf(field?.documentation))).toEqual(values);
});

test('no field names known values that nobody listed', () => {
  const stating = datamodel.models.flatMap((model) =>
    model.fields
      .filter(({ documentation }) => documentation?.includes('Known values:'))
      .map(({ name }) => `${model.name}.${snake(name)}`),
  );
  expect(stating.sort()).toEqual(Object.keys(knownValues).sort());
});

/** More than a repetition of the name: some words that are not in the name, in a whole sentence. */
function expectRealDescription(name: string, documentation: string | undefined): void {
  const description = textOf(documentation);
  expect(description, name).toMatch(/^[A-Z].+\.$/);
  const nameWords = new Set(snake(name).toLowerCase().split(/[_ ]+/));
  const newWords = new Set((description.toLowerCase().match(/[a-z]+/g) ?? []).filter((word) => !nameWords.has(word)));
  expect(newWords.size, `${name}: ${description}`).toBeGreaterThanOrEqual(5);
}

function statedValues(description: string): string[] {
  const list = description.split('Known values: ')[1] ?? '';
  return [...list.matchAll(/"([^"]*)"/g)].map(([, value]) => value ?? '');
}

function snake(name: string): string {
  return name.replaceAll(/(?<!^)[A-Z]/g, (capital) => `_${capital}`).toLowerCase();
}
