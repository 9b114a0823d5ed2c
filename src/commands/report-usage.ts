import { operationNames } from '../../rest/operation-names.js';
import { createRestOperations } from '../../rest/operations.js';
import { usageHost } from '../../rest/usage-host.js';
import { catalogue } from '../catalogue.js';
import type { Config } from '../config/config.js';
import { readDeprecations } from '../deprecation/read-deprecations.js';
import { datamodel } from '../generated/datamodel.js';
import { createResources } from '../model/create-resources.js';
import { createSchema } from '../schema/create-schema.js';
import { type ReportedUse, type ReportFilter, usageReport } from '../usage/report.js';
import { mostUses } from '../usage/use.js';
import { readDatabase } from './with-database.js';

export { usageText } from '../usage/report-text.js';

/** Who calls what, from the database of the settings: all of it, because more than `mostUses` are not kept. */
export async function reportUsage(config: Config, filter: ReportFilter): Promise<ReportedUse[]> {
  const resources = createResources(datamodel, catalogue);
  const operations = createRestOperations(resources);
  const { deprecations: file } = config;
  const deprecations = file ? readDeprecations(file, operationNames(operations)) : new Map();
  const host = usageHost(operations, createSchema({ resources }), deprecations);
  return readDatabase(config, (database) => usageReport(database, host, filter, { limit: mostUses, offset: 0 }));
}
