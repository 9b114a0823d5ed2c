/** Reports for a terminal. */
import type { ReportedDeprecation, ReportedUse } from './report.js';

/** A table with a heading and a line for each key and thing that it calls. */
export function usageText(uses: readonly ReportedUse[]): string {
  if (uses.length === 0) return 'No such call is counted. A running gateway writes its calls within a minute.\n';
  return table([
    ['call', 'operation to move to', 'ends', 'key', 'name of the key', 'calls', 'first', 'last', 'user agents'],
    ...uses.map(({ name, callable, key, keyId, calls, firstAt, lastAt, userAgents }) => [
      callable?.call ?? name,
      callable?.surface === 'rest' ? name : (callable?.replacement() ?? ''),
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

/** A table of what is deprecated, and whether anybody still calls it. */
export function deprecationText(deprecations: readonly ReportedDeprecation[]): string {
  if (deprecations.length === 0) return 'Nothing is deprecated.\n';
  return table([
    ['call', 'ends', 'keys', 'calls', 'last'],
    ...deprecations.map(({ callable, use }) => [
      callable.call,
      endOf(callable),
      String(use?.keys ?? 0),
      String(use?.calls ?? 0),
      use ? day(use.lastAt) : 'never',
    ]),
  ]);
}

function endOf(callable: ReportedUse['callable']): string {
  if (!callable?.isDeprecated) return '';
  return callable.sunset?.toISOString().slice(0, 10) ?? 'deprecated';
}

const day = (milliseconds: number): string => new Date(milliseconds).toISOString().slice(0, 10);

function table(lines: readonly (readonly string[])[]): string {
  const widths = lines[0]?.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0))) ?? [];
  return lines
    .map((line) => `${line.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  ')}`.trimEnd().concat('\n'))
    .join('');
}
