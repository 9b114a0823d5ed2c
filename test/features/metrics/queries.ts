import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

/** The queries of the files for an operator, by the names of their alert or panel. */
export function queries(): [string, string][] {
  const { groups }: { groups: { rules: { alert: string; expr: string }[] }[] } = parse(
    readFileSync('docs/deploy/alerts.yml', 'utf8'),
  );
  const { panels }: { panels: { title: string; targets: { expr: string }[] }[] } = JSON.parse(
    readFileSync('docs/deploy/dashboard.json', 'utf8'),
  );
  return [
    ...groups.flatMap(({ rules }) => rules.map(({ alert, expr }): [string, string] => [alert, expr])),
    ...panels.flatMap(({ title, targets }) => targets.map(({ expr }): [string, string] => [title, expr])),
  ];
}
