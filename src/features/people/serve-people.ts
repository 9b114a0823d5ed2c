import { ConfigError } from '../../common/config-error.js';
import { Current } from '../../common/kept.js';
import { type CurrentGrants, noGrants } from '../../gateway/access/grants.js';
import type { Schema } from '../../gateway/api.js';
import type { Config } from '../../gateway/config/config.js';
import type { ServedFeature } from '../../gateway/feature.js';
import { snakeOf } from '../../model/names.js';
import { allResources } from '../../model/resources.js';
import { addExplainAccess } from './explain/explain-fields.js';
import { peopleSettings } from './people-settings.js';
import { createGrants, keptGrants } from './roles/create-grants.js';
import { type Role, readRoles } from './roles/read-roles.js';

/** What takes the tokens of people, where they sign in. */
export interface Tokens extends ServedFeature {
  /** Reads the issuers, and adds what is wrong with them to `problems`; what is returned puts them in force. */
  readIssuers(config: Config, roles: readonly Role[], problems: string[]): () => Readonly<Record<string, unknown>>;
}

/** `take` makes what takes tokens; `grants` says what roles give at the moment. */
export function servePeople(take?: (grants: CurrentGrants) => Tokens): ServedFeature {
  const grants = Current.of(noGrants);
  const tokens = take?.(grants);
  const kept = keptGrants();
  let inForce: readonly Role[] = [];
  return {
    ...tokens,
    grants,
    schema: addExplainAccess,
    describe({ components: { schemas } }) {
      for (const [model, fields] of inForce.flatMap(({ hidden }) => [...hidden])) {
        const { properties, ...schema } = schemas[model] ?? {};
        const nullable = fields.map((name) => [snakeOf(name), orNull(properties?.[snakeOf(name)])]);
        schemas[model] = { ...schema, properties: { ...properties, ...Object.fromEntries(nullable) } };
      }
    },
    reloads: {
      keys: tokens ? ['roles', 'issuers'] : ['roles'],
      read(config) {
        const { roles: file } = peopleSettings.of(config);
        const problems: string[] = [];
        const roles = file === undefined ? undefined : readRoles(file, allResources, problems);
        const applyIssuers = tokens?.readIssuers(config, roles ?? [], problems);
        if (problems.length > 0) throw new ConfigError(problems);
        return () => {
          inForce = roles ?? [];
          grants.replace(roles ? createGrants(roles, kept) : noGrants);
          return { ...(roles && { roles: roles.length }), ...applyIssuers?.() };
        };
      },
    },
  };
}

/** Of a field that some role hides: its holders read null. GraphQL promises of no such field that it is never null. */
const orNull = ({ type = [], ...schema }: Schema = {}): Schema => ({
  type: [...new Set([...(typeof type === 'string' ? [type] : type), 'null'])],
  ...schema,
});
