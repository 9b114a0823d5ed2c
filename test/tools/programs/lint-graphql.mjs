/** Prints what the rules that graphql-eslint recommends find in a schema. */
import { dirname } from 'node:path';
import graphql from '@graphql-eslint/eslint-plugin';
import { ESLint } from 'eslint';

const [, , file] = process.argv;
const eslint = new ESLint({
  cwd: dirname(file),
  overrideConfigFile: true,
  overrideConfig: [
    {
      files: ['**/*.graphql'],
      plugins: { '@graphql-eslint': graphql },
      languageOptions: { parser: graphql.parser, parserOptions: { graphQLConfig: { schema: file } } },
      rules: graphql.configs['flat/schema-recommended'].rules,
    },
  ],
});
const [{ messages }] = await eslint.lintFiles([file]);
process.stdout.write(
  JSON.stringify(messages.map(({ ruleId, line, message }) => ({ rule: String(ruleId), at: String(line), message }))),
);
