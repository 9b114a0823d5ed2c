import { createRestOperations } from '../../rest/operations.js';
import { resources } from './resources.js';

/** The REST endpoints of the gateway, made once for all tests of a process. */
export const restOperations = createRestOperations(resources);
