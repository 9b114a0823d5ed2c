import { describeRest } from '../../rest/description/describe.js';
import { restEndpoints } from '../support/rest-operations.js';
import { schema, serving } from '../support/schema.js';

type Description = Awaited<ReturnType<typeof describeRest>>;

let made: Promise<Description> | undefined;

/** The description of the gateway, made once for all tests of a process. */
export function description(): Promise<Description> {
  made ??= describeRest(restEndpoints, schema, 'test', serving);
  return made;
}
