/** `records access explain`, and what the commands about roles share. They read every record. */

import { requireDatabase } from '../../../cli/work.js';
import { ConfigError, ExplainedError } from '../../../common/config-error.js';
import { WeighedCache } from '../../../common/kept.js';
import { nearest } from '../../../common/nearest.js';
import { tableOf } from '../../../common/output.js';
import { inspect } from '../../../database/inspection.js';
import type { Provider } from '../../../database/migrations/migration-history.js';
import type { Granted, Grants } from '../../../gateway/access/grants.js';
import type { Config } from '../../../gateway/config/config.js';
import { datamodel } from '../../../generated/datamodel.js';
import type { Prisma } from '../../../generated/sqlite/client.js';
import { catalogue } from '../../../model/catalogue.js';
import { createResources } from '../../../model/create-resources.js';
import { type Resource, singletonId } from '../../../model/resource.js';
import { dialects } from '../../../query/sql/dialect.js';
import { createGrants } from '../roles/create-grants.js';
import { type Role, readRoles } from '../roles/read-roles.js';
import { type ExplainedRule, type Explanation, explainAccess } from './explain-access.js';
import { fieldsGiven, type GivenPerson, type Named, personIn } from './given.js';

export const allResources: readonly Resource[] = createResources(datamodel, catalogue);

export const rolesAt = (path: string | undefined): Role[] => {
  if (path === undefined) throw new ConfigError(['ROLES is not set: name the file of roles.']);
  return readRoles(path, allResources);
};

export const grantsOfRoles = (roles: readonly Role[]): Grants =>
  createGrants(roles, new WeighedCache<Granted>(1_000, () => 1));

/** A statement with its values, as this database takes them. */
export const statementOf = (provider: Provider, { sql, text, values }: Prisma.Sql): [string, (string | number)[]] => [
  provider === 'sqlite' ? sql : text,
  values.map(dialects[provider].stored),
];

interface AskedOnCommandLine {
  type: string;
  id: string | undefined;
  action: string;
  input: readonly Named[];
  as: GivenPerson;
}

export async function explained(
  { databaseUrl: url, lockSubmitted }: Pick<Config, 'databaseUrl' | 'lockSubmitted'>,
  path: string | undefined,
  { type, id, action, input, as }: AskedOnCommandLine,
): Promise<ShownExplanation> {
  const who = personIn(as, grantsOfRoles(rolesAt(path)));
  const resource = allResources.find(({ model }) => model === type);
  if (!resource) {
    const meant = nearest(
      type,
      allResources.map(({ model }) => model),
    );
    throw new ExplainedError(`There is no type ${type}${meant === undefined ? '.' : `; did you mean ${meant}?`}`);
  }
  const only = resource.kind === 'singleton' ? singletonId(resource) : undefined;
  if (action !== 'create' && id === undefined && !only)
    throw new ExplainedError('Give the id of the record behind its type.');
  const operation = action === 'read' ? 'retrieve' : resource.operations.find((each) => each === action);
  if (!operation) throw new ExplainedError(`There is no action ${action} of ${type}.`);
  const asked = {
    resource,
    id: action === 'create' ? undefined : (id ?? only),
    action: operation,
    input: fieldsGiven(resource, input),
  };
  requireDatabase(url);
  const { reason, missingScopes, rules } = await inspect(url, false, ({ provider, rows }) =>
    explainAccess({ provider, read: rows, locksSubmitted: lockSubmitted }, asked, who),
  );
  const shown = rules.map(({ resource: { model }, text = null, ...rule }) => ({ ...rule, type: model, rule: text }));
  return { allowed: reason === undefined, reason: reason ?? null, missingScopes, rules: shown };
}

/** As GraphQL shows it. */
interface ShownExplanation extends Pick<Explanation, 'missingScopes'> {
  allowed: boolean;
  reason: string | null;
  rules: (Omit<ExplainedRule, 'resource' | 'text'> & { type: string; rule: string | null })[];
}

export function explainedText({ reason, rules }: ShownExplanation): string {
  const rows = rules.flatMap(({ role, type, action, rule, unusable, before, after }) => {
    const head = [role, type, action, rule ?? 'not named'];
    const missing = unusable.map((name) => [...head, 'never', `$${name} is missing or of another type`]);
    const outcomes = [
      ['as it is', before],
      ['as it would become', after],
    ] as const;
    return [
      ...missing,
      ...outcomes.flatMap(([when, outcome]) => {
        if (!outcome) return [];
        if (outcome.holds) return [[...head, when, 'holds']];
        const why = outcome.failed.map(
          ({ field, operator, asked, found }) =>
            `${field} ${operator} ${JSON.stringify(asked)}: it is ${JSON.stringify(found)}`,
        );
        return [[...head, when, why.length > 0 ? why.join(', ') : 'does not hold']];
      }),
    ];
  });
  const table = rows.length > 0 ? tableOf([['role', 'type', 'action', 'rule', 'record', ''], ...rows]) : '';
  return `${reason === null ? 'Allowed.' : `Refused: ${reason}`}\n\n${table}`;
}
