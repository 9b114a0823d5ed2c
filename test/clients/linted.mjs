/** Prints what the rules that Redocly recommends find in an OpenAPI description. A separate program, because it takes long to load. */
import { readFileSync } from 'node:fs';
import { createConfig, lintFromString } from '@redocly/openapi-core';

const source = readFileSync(process.argv[2], 'utf8');
const config = await createConfig({ extends: ['recommended'] });
const found = await lintFromString({ source, absoluteRef: '/openapi.json', config });
process.stdout.write(JSON.stringify(found.map(({ severity, ruleId, message }) => ({ severity, ruleId, message }))));
