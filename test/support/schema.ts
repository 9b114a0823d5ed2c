import { usage } from '../../src/features/usage/index.js';
import { serveUsage } from '../../src/features/usage/serve-usage.js';
import { features as all } from '../../src/features.js';
import { readConfig } from '../../src/gateway/config/config.js';
import { type Feature, type OnMeasured, type ServedFeature, servedFeatures } from '../../src/gateway/feature.js';
import { createSchema } from '../../src/graphql/create-schema.js';
import { resources } from './resources.js';

/** All but these, and those that need them. */
export function without(...names: readonly string[]): Feature[] {
  const gone = new Set(names);
  // Twice, for those that need what needs one.
  for (const { name, needs = [] } of [...all, ...all]) if (needs.some((needed) => gone.has(needed))) gone.add(name);
  return all.filter(({ name }) => !gone.has(name));
}

/** Without those that `npm run test:features` leaves out. */
const features = without(...(process.env.LEFT_OUT?.split(',') ?? []));
export const isThere = (feature: string): boolean => features.some(({ name }) => name === feature);

/** What all features add to a gateway that serves. */
export const serve = (
  settings: Readonly<Record<string, string>> = {},
  given: readonly Feature[] = features,
  measure?: OnMeasured,
) =>
  servedFeatures(
    given.map((feature) => (feature === usage ? writtenAtWill : feature)),
    readConfig(settings, given),
    measure,
  );

/** Writes what it counts only when a test asks for it, so that nothing comes between the statements of a test. */
const writtenAtWill: Feature = { ...usage, served: async () => serveUsage(2 ** 31 - 1) };

/** The same, made once for what belongs to no gateway. */
export const serving = await serve();

/** The schema of the gateway, made once for all tests of a process. */
export const schema = createSchema({ resources, features: serving });

export const schemaOf = (served: readonly ServedFeature[]) => createSchema({ resources, features: served });
