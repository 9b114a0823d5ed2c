/**
 * The metrics of several processes as one text. Each process labels its series, so that no two processes have the same
 * one. The description of a metric is written once, as the format demands.
 */
export function mergeMetrics(texts: readonly string[]): string {
  const merged = new Map<string, { about: string[]; series: string[] }>();
  for (const text of texts) {
    let name = '';
    for (const line of text.split('\n')) {
      if (line === '') continue;
      name = /^# HELP (\S+)/.exec(line)?.[1] ?? name;
      const metric = merged.get(name) ?? { about: [], series: [] };
      merged.set(name, metric);
      if (!line.startsWith('#')) metric.series.push(line);
      else if (metric.series.length === 0 && metric.about.length < 2) metric.about.push(line);
    }
  }
  const lines = [...merged.values()].flatMap(({ about, series }) => [...about, ...series]);
  return `${lines.join('\n')}\n`;
}
