import { Current, WeighedCache } from '../../common/kept.js';
import type { IdentifyToken } from '../../gateway/access/authenticator.js';
import type { CurrentGrants, Granted, Grants } from '../../gateway/access/grants.js';
import type { Schema } from '../../gateway/api.js';
import type { Config } from '../../gateway/config/config.js';
import type { ServedFeature } from '../../gateway/feature.js';
import { snakeOf } from '../../model/names.js';
import { allResources } from '../../model/resources.js';
import { addExplainAccess } from './explain/explain-fields.js';
import { peopleSettings } from './people-settings.js';
import { createGrants } from './roles/create-grants.js';
import { type Role, readRoles } from './roles/read-roles.js';

/** The most rights that are kept: one for each set of roles and of the values that their rules ask for. */
const mostRights = 1_000;

/** How people sign in, where they do. */
export interface Tokens
  extends Pick<ServedFeature, 'errors' | 'join' | 'signIns'>,
    Required<Pick<ServedFeature, 'start'>> {
  /** Reads the issuers; what is returned puts them in force. @throws ConfigError */
  read(config: Config, knownRoles: ReadonlySet<string>): () => Readonly<Record<string, unknown>>;
  /** Says who sends a request, with what the roles give at the moment. */
  authenticate(grants: CurrentGrants): IdentifyToken;
}

export function servePeople(tokens?: Tokens): ServedFeature {
  const grants = Current.of<Grants | undefined>(undefined);
  // The same rights stay the same object also when the file is read again, with all that others keep by it.
  const kept = new WeighedCache<Granted>(mostRights, () => 1);
  let inForce: readonly Role[] = [];
  return {
    grants,
    ...(tokens && {
      ...{ errors: tokens.errors, signIns: tokens.signIns, join: tokens.join },
      authenticate: tokens.authenticate(grants),
    }),
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
        const roles = file === undefined ? undefined : readRoles(file, allResources);
        const applyIssuers = tokens?.read(config, new Set(roles?.map(({ name }) => name)));
        return () => {
          inForce = roles ?? [];
          grants.replace(roles && createGrants(roles, kept));
          return { ...(roles && { roles: roles.length }), ...applyIssuers?.() };
        };
      },
    },
    start(running) {
      if (running.sweeps) tokens?.start(running);
      return undefined;
    },
  };
}

/** Of a field that some role hides: its holders read null. GraphQL promises of no such field that it is never null. */
const orNull = ({ type = [], ...schema }: Schema = {}): Schema => ({
  type: [...new Set([...(typeof type === 'string' ? [type] : type), 'null'])],
  ...schema,
});
