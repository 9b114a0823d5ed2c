import { resources } from '../../src/model/resource.js';
import { createSchema } from '../../src/schema/create-schema.js';

/** The schema of the gateway, made once for all tests of a process. */
export const schema = createSchema({ resources });
