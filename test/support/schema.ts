import { resources } from '../../src/model/resource.js';
import { createSchema } from '../../src/schema/index.js';

/** The schema of the gateway, made once for all tests of a process. */
export const schema = createSchema({ resources });
