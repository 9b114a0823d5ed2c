/** Generates code from a description into a folder, which exists: `node generate.mjs <generator> <description> <folder> <address>`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [, , generator, description, folder, baseUrl] = process.argv;
const text = () => readFileSync(description, 'utf8');

const generators = {
  async 'hey-api'() {
    const { createClient } = await import('@hey-api/openapi-ts');
    const plugins = ['@hey-api/typescript', '@hey-api/sdk', '@hey-api/client-fetch'];
    const logs = { level: 'silent', file: false };
    await createClient({ input: description, output: { path: folder }, plugins, logs });
  },
  async orval() {
    const { generate } = await import('orval');
    const output = { target: join(folder, 'api.ts'), client: 'fetch', baseUrl };
    await generate({ input: { target: description }, output });
  },
  async kubb() {
    // It also writes below the current folder, whatever its root is.
    process.chdir(folder);
    const { build } = await import('@kubb/core');
    const { pluginClient } = await import('@kubb/plugin-client');
    const { pluginOas } = await import('@kubb/plugin-oas');
    const { pluginTs } = await import('@kubb/plugin-ts');
    const plugins = [pluginOas({ generators: [] }), pluginTs({}), pluginClient({ client: 'fetch' })];
    // No index of all: BOMCreatorList and UOMCategoryList are operations and types.
    const output = { path: '.', clean: false, barrelType: false, extension: { '.ts': '.js' } };
    const { error } = await build({ config: { root: folder, input: { path: description }, output, plugins } });
    if (error) throw error;
  },
  async 'openapi-zod-client'() {
    const { generateZodClientFromOpenAPI } = await import('openapi-zod-client');
    const options = { withAlias: true };
    await generateZodClientFromOpenAPI({ openApiDoc: JSON.parse(text()), distPath: join(folder, 'api.ts'), options });
  },
  async modelina() {
    const { TypeScriptGenerator } = await import('@asyncapi/modelina');
    // With the schemas of lists and inputs, the names that they have, and no members beside them.
    const generator = new TypeScriptGenerator({
      modelType: 'interface',
      enumType: 'union',
      rawPropertyNames: true,
      processorOptions: {
        interpreter: { ignoreAdditionalProperties: true },
        openapi: { includeComponentSchemas: true },
      },
    });
    const models = await generator.generate(JSON.parse(text()));
    writeFileSync(join(folder, 'models.ts'), models.map(({ result }) => `export ${result}`).join('\n'));
  },
  async genql() {
    const { generate } = await import('@genql/cli');
    await generate({ schema: text(), output: folder });
    for (const name of ['index.ts', 'schema.ts']) {
      const file = join(folder, name);
      writeFileSync(file, readFileSync(file, 'utf8').replace('// @ts-nocheck', ''));
    }
  },
  async 'gql.tada'() {
    const { generateOutput } = await import('@gql.tada/cli-utils');
    writeFileSync(join(folder, 'schema.graphql'), text());
    const plugin = { name: 'gql.tada/ts-plugin', schema: './schema.graphql', tadaOutputLocation: './graphql-env.ts' };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: { plugins: [plugin] } }));
    await generateOutput({ tsconfig: folder, output: undefined, disablePreprocessing: false });
  },
};
await generators[generator]();
