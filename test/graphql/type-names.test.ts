/** No type of the schema has the name of something that every program has already: what generators write would be taken for it. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isSpecifiedScalarType } from 'graphql';
import { expect, test } from 'vitest';
import { projectFolder } from '../../src/database/migrations/migration-history.js';
import { schema } from '../support/schema.js';

const packages = join(projectFolder, 'node_modules/@typescript');
const declaration = /^\s*(?:declare )?(?:interface|type|class|var|const|function|namespace) (\w+)/gm;

/** What TypeScript declares of the language and of browsers. */
const ofTypeScript = readdirSync(packages)
  .flatMap((name) => readdirSync(join(packages, name, 'lib')).map((file) => join(packages, name, 'lib', file)))
  .filter((file) => /lib\.(es|dom)[^/]*\.d\.ts$/.test(file))
  .flatMap((file) => [...readFileSync(file, 'utf8').matchAll(declaration)].map(([, name = '']) => name));

/** What is imported without being asked for, as far as a schema of records might use the name. */
const ofOthers = {
  Kotlin:
    'Any Annotation Array Comparable Comparator Deprecated Enum Error Exception Function Iterable Lazy List Map Number Pair Result Sequence Set Throwable Triple Unit',
  Swift:
    'Any Array Character Codable Data Date Decimal Dictionary Error Identifiable Mirror Never Operation Optional Range Result Sequence Set Task URL UUID',
  'C#': 'Action Attribute Buffer Console Convert DateTime Delegate Enum Environment Exception File Func Guid Index Lazy List Math Object Path Random Range Task Thread Timer Tuple Type Uri Version',
};

/** `Node` is Relay's name for it, and a scalar has the type of another library in each language. */
const kept = ['Node', 'DateTime'];

test('no type is named like something global', () => {
  const global = new Set([...ofTypeScript, ...Object.values(ofOthers).flatMap((names) => names.split(' '))]);
  expect(['Document', 'Node', 'Record'].every((name) => global.has(name))).toBe(true);
  const types = Object.values(schema.getTypeMap()).filter((type) => !isSpecifiedScalarType(type));
  expect(types.map(({ name }) => name).filter((name) => global.has(name) && !kept.includes(name))).toEqual([]);
});
