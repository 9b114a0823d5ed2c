import { createRestEndpoints, createRestOperations } from '../../rest/endpoints.js';
import { createRestApi } from '../../rest/rest.js';
import { resources } from './resources.js';
import { serving } from './schema.js';

/** The REST endpoints of records, made once for all tests of a process. */
export const restOperations = createRestOperations(resources);

/** The same, with those that features add. */
export const restEndpoints = createRestEndpoints(resources, serving);

/** The interface of REST with all features. */
export const api = createRestApi(resources, serving);
