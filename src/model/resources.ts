import { datamodel } from '../generated/datamodel.js';
import { catalogue } from './catalogue.js';
import { createResources } from './create-resources.js';
import type { Resource } from './resource.js';

/** All types of records, made once for the process. */
export const allResources: readonly Resource[] = createResources(datamodel, catalogue);
