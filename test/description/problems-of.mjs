/**
 * Prints the problems that two validators and the rules recommended by Redocly find in an OpenAPI description. A
 * separate program, because they take a second to load.
 */
import { readFileSync } from 'node:fs';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Validator } from '@seriousme/openapi-schema-validator';

const source = readFileSync(process.argv[2], 'utf8');
const { valid, errors } = await new Validator().validate(JSON.parse(source));
const config = await createConfig({ extends: ['recommended'] });
const found = await lintFromString({ source, absoluteRef: '/openapi.json', config });
const linted = found.map(({ severity, ruleId, message, location: [place] }) => ({
  severity,
  ruleId,
  message,
  at: place?.pointer,
}));
process.stdout.write(JSON.stringify({ valid, errors, linted }));
