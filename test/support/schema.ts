import { createSchema } from '../../src/graphql/create-schema.js';
import { resources } from './resources.js';

/** The schema of the gateway, made once for all tests of a process. */
export const schema = createSchema({ resources });
