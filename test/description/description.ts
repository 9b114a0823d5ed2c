import { type Description, describeRest } from '../../rest/description/describe.js';
import { restEndpoints } from '../support/rest-operations.js';
import { schema, serving } from '../support/schema.js';

let made: Promise<Description> | undefined;

/** The description of the gateway, made once for all tests of a process. */
export function description(): Promise<Description> {
  made ??= describeRest(restEndpoints, schema, 'test', serving);
  return made;
}
