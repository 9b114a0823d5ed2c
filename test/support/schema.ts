import { features } from '../../src/features.js';
import { servedFeatures } from '../../src/gateway/feature.js';
import { createSchema } from '../../src/graphql/create-schema.js';
import { resources } from './resources.js';

/** What all features add to a gateway that serves. */
export const serving = await servedFeatures(features);

/** The schema of the gateway, made once for all tests of a process. */
export const schema = createSchema({ resources, features: serving });
