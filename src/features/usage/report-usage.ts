import { createRestOperations, operationNames } from '../../../rest/operations.js';
import { readDatabase } from '../../cli/with-database.js';
import type { Config } from '../../gateway/config/config.js';
import { type Feature, servedFeatures } from '../../gateway/feature.js';
import { datamodel } from '../../generated/datamodel.js';
import { createSchema } from '../../graphql/create-schema.js';
import { catalogue } from '../../model/catalogue.js';
import { createResources } from '../../model/create-resources.js';
import { readDeprecations } from './deprecations.js';
import { type ReportedUse, type ReportFilter, usageReport } from './report.js';
import { usageHost } from './usage-host.js';
import { mostUses } from './use.js';

export { usageText } from './report-text.js';

/** Who calls what, from the database of the settings: all of it, because more than `mostUses` are not kept. */
export async function reportUsage(
  features: readonly Feature[],
  config: Config,
  filter: ReportFilter,
): Promise<ReportedUse[]> {
  const resources = createResources(datamodel, catalogue);
  const operations = createRestOperations(resources);
  const { deprecations: file } = config;
  const deprecations = file ? readDeprecations(file, operationNames(operations)) : new Map();
  const host = usageHost(
    operations,
    createSchema({ resources, features: await servedFeatures(features) }),
    deprecations,
  );
  return readDatabase(config, (database) => usageReport(database, host, filter, { limit: mostUses, offset: 0 }));
}
