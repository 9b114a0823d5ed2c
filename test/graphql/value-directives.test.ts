/** The schema file says what values texts are meant for, field by field as in the models. */
import { type ConstDirectiveNode, Kind, parse, print } from 'graphql';
import { expect, test } from 'vitest';
import { knownValues } from '../contract/known-values.js';
import { startGateway } from '../support/gateway.js';
import { resources } from '../support/resources.js';
import { committedSdl } from '../support/sdl.js';

/** By type and field, the directives as they are written. */
function directivesIn(sdl: string): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const definition of parse(sdl).definitions) {
    if (definition.kind !== Kind.OBJECT_TYPE_DEFINITION && definition.kind !== Kind.INPUT_OBJECT_TYPE_DEFINITION)
      continue;
    for (const { name, directives = [] } of definition.fields ?? []) {
      const own = directives.filter((each: ConstDirectiveNode) => each.name.value !== 'deprecated').map(print);
      if (own.length > 0) found.set(`${definition.name.value}.${name.value}`, own);
    }
  }
  return found;
}

/** The expected directives by the models: on the record, and on every input that has the field. */
function expected(): Map<string, string[]> {
  const types = new Map(
    parse(committedSdl()).definitions.flatMap((definition) =>
      'fields' in definition && 'name' in definition && definition.name
        ? [[definition.name.value, new Set(definition.fields?.map(({ name }) => name.value))] as const]
        : [],
    ),
  );
  const found = new Map<string, string[]>();
  for (const { model, fields, documentLike } of resources) {
    const inputs = ['Create#Input', 'Update#Input', 'Save#Input', 'Create#LineInput'];
    for (const { name, description: lines } of fields) {
      const description = lines.replaceAll('\n', ' ');
      const values = /Known values: ("[^"]*"(?:, "[^"]*")*)\./.exec(description)?.[1];
      const forms = [
        ...(description.includes('`YYYY-MM-DD`') ? ['"date"'] : []),
        ...(description.includes('ISO 8601 timestamp') ? ['"date-time"'] : []),
      ];
      const says = [
        ...(values && !(documentLike && name === 'status') ? [`@knownValues(values: [${values}])`] : []),
        ...(forms.length > 0 ? [`@format(as: [${forms.join(', ')}])`] : []),
      ];
      if (says.length === 0) continue;
      for (const type of [model, ...inputs.map((input) => input.replace('#', model))]) {
        if (types.get(type)?.has(name)) found.set(`${type}.${name}`, says);
      }
    }
  }
  return found;
}

test('each field of a record and of an input says the values and the forms that its description names', () => {
  const found = directivesIn(committedSdl());
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries(expected()));
  expect([...found.keys()].filter((name) => name.startsWith('AssetRepair.'))).toEqual([
    'AssetRepair.failureDate',
    'AssetRepair.completionDate',
    'AssetRepair.repairStatus',
  ]);
  expect(found.get('CreateAssetRepairInput.failureDate')).toEqual(['@format(as: ["date", "date-time"])']);
});

test('the known values are those of the document, in their order', () => {
  const found = directivesIn(committedSdl());
  for (const [name, values] of Object.entries(knownValues)) {
    const [model = '', restName = ''] = name.split('.');
    const resource = resources.find((each) => each.model === model);
    const field = resource?.fields.find((each) => each.restName === restName);
    const says = resource?.documentLike && restName === 'status' ? undefined : `@knownValues(values: ${text(values)})`;
    expect(found.get(`${model}.${field?.name}`)?.[0], name).toBe(says);
  }
});

const text = (values: readonly string[]): string => `[${values.map((value) => JSON.stringify(value)).join(', ')}]`;

test('the file that a gateway serves is that file', async () => {
  const gateway = await startGateway();
  const response = await fetch(`${gateway.url}/schema.graphql`);
  expect(await response.text()).toBe(committedSdl());
  await gateway.close();
});
