import { createRestEndpoints } from '../../../rest/endpoints.js';
import { readDatabase } from '../../cli/work.js';
import { tableOf } from '../../common/output.js';
import type { Config } from '../../gateway/config/config.js';
import { type Feature, servedFeatures } from '../../gateway/feature.js';
import { createSchema } from '../../graphql/create-schema.js';
import { allResources } from '../../model/resources.js';
import { readDeprecations, usageSettings } from './deprecations.js';
import { callablesOf, type ReportedUse, type ReportFilter, usageReport } from './report.js';
import { mostUses } from './usage.js';

/** Who calls what, from the database of the settings: all of it, because more than `mostUses` are not kept. */
export async function reportUsage(
  features: readonly Feature[],
  config: Config,
  filter: ReportFilter,
): Promise<ReportedUse[]> {
  const served = await servedFeatures(features, config);
  const endpoints = createRestEndpoints(allResources, served);
  const names = endpoints.map(({ name }) => name);
  const { deprecations: file } = usageSettings.of(config);
  const deprecations = file ? readDeprecations(file, names) : new Map();
  const callables = callablesOf(endpoints, createSchema({ resources: allResources, features: served }), deprecations);
  return readDatabase(config, (database) => usageReport(database, callables, filter, { limit: mostUses, offset: 0 }));
}

/** A table with a heading and a line for each key and thing that it calls. */
export function usageText(uses: readonly ReportedUse[]): string {
  if (uses.length === 0) return 'No such call is counted. A running gateway writes its calls within a minute.\n';
  return tableOf([
    ['call', 'operation to move to', 'ends', 'key', 'name of the key', 'calls', 'first', 'last', 'user agents'],
    ...uses.map(({ name, callable, key, keyId, calls, firstAt, lastAt, userAgents }) => [
      callable?.call ?? name,
      callable?.surface === 'rest' ? name : (callable?.replacement ?? ''),
      endOf(callable),
      keyId,
      key?.name ?? '',
      String(calls),
      day(firstAt),
      day(lastAt),
      userAgents.map(({ userAgent }) => userAgent || '(others)').join(', '),
    ]),
  ]);
}

function endOf(callable: ReportedUse['callable']): string {
  if (!callable?.isDeprecated) return '';
  return callable.sunset?.toISOString().slice(0, 10) ?? 'deprecated';
}

const day = (milliseconds: number): string => new Date(milliseconds).toISOString().slice(0, 10);
