/**
 * Prints the TypeScript types that openapi-typescript makes of an OpenAPI description. It needs the API of TypeScript
 * 5, which TypeScript 7 no longer has: a copy of it is in `@ts-morph/common`.
 */
import { readFileSync } from 'node:fs';
import { register } from 'node:module';

const inJavaScript = (text) => `data:text/javascript,${encodeURIComponent(text)}`;
const typescript = inJavaScript(
  `export { ts as default } from ${JSON.stringify(import.meta.resolve('@ts-morph/common'))};`,
);
register(
  inJavaScript(`export const resolve = (name, context, next) =>
    name === 'typescript' ? { url: ${JSON.stringify(typescript)}, shortCircuit: true } : next(name, context);`),
);
const { astToString, default: openapiTypes } = await import('openapi-typescript');
process.stdout.write(
  astToString(await openapiTypes(JSON.parse(readFileSync(process.argv[2], 'utf8')), { defaultNonNullable: false })),
);
