/** Prints the problems that a validator finds in an OpenAPI description. A separate program, because it takes long to load. */
import { readFileSync } from 'node:fs';
import { Validator } from '@seriousme/openapi-schema-validator';

const { valid, errors } = await new Validator().validate(JSON.parse(readFileSync(process.argv[2], 'utf8')));
process.stdout.write(JSON.stringify({ valid, errors }));
