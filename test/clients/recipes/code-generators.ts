import type { CodegenConfig } from '@graphql-codegen/cli';

const config: CodegenConfig = {
  // curl -o schema.graphql http://127.0.0.1:4000/schema.graphql
  schema: 'schema.graphql',
  documents: 'src/**/*.{ts,tsx}',
  generates: {
    'src/generated/': {
      preset: 'client',
      presetConfig: { fragmentMasking: false },
      config: {
        useTypeImports: true,
        enumsAsTypes: true,
        emitLegacyCommonJSImports: false,
        nonOptionalTypename: true,
        scalars: { DateTime: 'string', FieldValue: 'unknown' },
        strictScalars: true,
      },
    },
    'src/generated/possible-types.ts': { plugins: ['fragment-matcher'] },
  },
};

export default config;
