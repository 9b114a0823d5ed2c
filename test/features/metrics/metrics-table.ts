import { Registry } from 'prom-client';
import { createSeries, createWorkerSeries } from '../../../src/features/metrics/metrics.js';
import { features } from '../../../src/features.js';
import { servedFeatures } from '../../../src/gateway/feature.js';
import { readConfig } from '../../support/settings.js';

/** The metrics of all features. */
export const ofFeatures = (await servedFeatures(features, readConfig({}))).flatMap(({ metrics = [] }) => metrics);

/** `page` with the table of metrics between its marks, as `npm run readme` writes it and a test compares it. */
export async function withMetrics(page: string): Promise<string> {
  const registry = new Registry();
  createSeries(registry, ofFeatures);
  createWorkerSeries(registry);
  const rows = (await registry.getMetricsAsJSON()).map(({ name, help, type }) => `| \`${name}\` | ${type} | ${help} |`);
  const [before, after] = [page.split('<!-- metrics -->')[0], page.split('<!-- /metrics -->')[1]];
  const table = ['| metric | type | meaning |', '|---|---|---|', ...rows].join('\n');
  return `${before}<!-- metrics -->\n${table}\n<!-- /metrics -->${after}`;
}
