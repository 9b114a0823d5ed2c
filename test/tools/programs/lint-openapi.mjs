/** Prints what a rule set for Spectral finds in an OpenAPI description. */
import { readFileSync } from 'node:fs';
import ibm from '@ibm-cloud/openapi-ruleset';
import spectral from '@stoplight/spectral-core';
import owasp from '@stoplight/spectral-owasp-ruleset';
import rulesets from '@stoplight/spectral-rulesets';

const sets = { oas: rulesets.oas, owasp: owasp.default ?? owasp, ibm };
const [, , name, file] = process.argv;
const linter = new spectral.Spectral();
const ruleset = { extends: [[sets[name], 'recommended']] };
linter.setRuleset(new spectral.Ruleset(ruleset, { source: import.meta.filename }));
const found = await linter.run(JSON.parse(readFileSync(file, 'utf8')));
process.stdout.write(
  JSON.stringify(found.map(({ code, path, message }) => ({ rule: String(code), at: path.join('.'), message }))),
);
