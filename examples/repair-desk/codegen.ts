import type { CodegenConfig } from '@graphql-codegen/cli';

// Generates the types of operations and inputs from the schema that the gateway serves.
const config: CodegenConfig = {
  schema: '../../docs/schema.graphql',
  documents: 'src/**/*.{ts,tsx}',
  generates: {
    'src/generated/': {
      preset: 'client',
      presetConfig: { fragmentMasking: false },
      config: {
        useTypeImports: true,
        enumsAsTypes: true,
        emitLegacyCommonJSImports: false,
        scalars: { DateTime: 'string' },
      },
    },
    'src/generated/cache-schema.ts': { plugins: ['./cache-schema.js'] },
  },
};

export default config;
