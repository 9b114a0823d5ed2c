import { createRestEndpoints } from '../../rest/endpoints.js';
import { createRestApi } from '../../rest/rest.js';
import { resources } from './resources.js';
import { serving } from './schema.js';

/** The REST endpoints, made once for all tests of a process. */
export const restEndpoints = createRestEndpoints(resources, serving);

/** Those of records. */
export const restOperations = restEndpoints.filter((endpoint) => endpoint.resource !== undefined);

/** The interface of REST with all features. */
export const api = createRestApi(resources, serving);
