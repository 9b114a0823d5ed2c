import { usage } from '../../src/features/usage/index.js';
import { serveUsage } from '../../src/features/usage/serve-usage.js';
import { features } from '../../src/features.js';
import { type Feature, servedFeatures } from '../../src/gateway/feature.js';
import { createSchema } from '../../src/graphql/create-schema.js';
import { resources } from './resources.js';
import { readConfig } from './settings.js';

/** What all features add to a gateway that serves. */
export const serve = (settings: Readonly<Record<string, string>> = {}) =>
  servedFeatures(
    features.map((feature) => (feature === usage ? writtenAtWill : feature)),
    readConfig(settings),
  );

/** Writes what it counts only when a test asks for it, so that nothing comes between the statements of a test. */
const writtenAtWill: Feature = { ...usage, served: async () => serveUsage(2 ** 31 - 1) };

/** The same, made once for what belongs to no gateway. */
export const serving = await serve();

/** The schema of the gateway, made once for all tests of a process. */
export const schema = createSchema({ resources, features: serving });
