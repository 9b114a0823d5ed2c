import type { CodegenConfig } from '@graphql-codegen/cli';

// Generates the types of operations and inputs from the schema that the gateway serves.
const config: CodegenConfig = {
  schema: `${process.env.GATEWAY_URL ?? 'http://127.0.0.1:4000'}/schema.graphql`,
  documents: 'src/**/*.{ts,tsx}',
  generates: {
    'src/generated/': {
      preset: 'client',
      presetConfig: { fragmentMasking: false },
      config: {
        useTypeImports: true,
        enumType: 'const',
        emitLegacyCommonJSImports: false,
        scalars: { DateTime: 'string' },
      },
    },
    'src/generated/cache-keys.ts': { plugins: ['./cache-keys.js'] },
  },
};

export default config;
