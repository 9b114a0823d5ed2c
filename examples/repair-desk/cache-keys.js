import { isObjectType, TypeInfo, visit, visitWithTypeInfo } from 'graphql';

/** A plugin of the code generator: which types of the operations have no id, and are kept with what they belong to. */
export function plugin(schema, documents) {
  const types = new Set();
  const place = new TypeInfo(schema);
  const enter = ({ kind }) => void (kind === 'Field' && types.add(place.getParentType()));
  for (const { document } of documents) visit(document, visitWithTypeInfo(place, { enter }));

  const names = [...types].filter((type) => isObjectType(type) && !type.getFields().id).map(({ name }) => name);
  return [
    "import type { KeyingConfig } from '@urql/exchange-graphcache';",
    `export const keys: KeyingConfig = Object.fromEntries(${JSON.stringify(names)}.map((name) => [name, () => null]));`,
  ].join('\n');
}
