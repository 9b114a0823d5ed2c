/** Managing API keys, for keys with the scope `admin`. */

import { publicIdOf } from '../../../gateway/access/authenticator.js';
import { grantsOfGateways } from '../../../gateway/access/grants.js';
import { forHolders } from '../../../graphql/answered-by-sql.js';
import type { Builder } from '../../../graphql/builder.js';
import { constrained } from '../../../graphql/inputs/filters.js';
import { connectionOfOwn, pageArguments } from '../../../graphql/types/connection.js';
import { longestGivenName, mostNames } from '../../../model/limits.js';
import { createKey, longestOverlap, pageOfKeys, revokeKey, rotateKey } from '../api-keys.js';
import { apiKey, apiKeyPayload } from './api-key-types.js';

const forAdministrators = forHolders('admin');
const day = 24 * 60 * 60;

export function addApiKeys(builder: Builder): void {
  builder.queryField('apiKeys', (t) =>
    t.field({
      type: connectionOfOwn(builder, 'ApiKey', 'API key', apiKey(builder)),
      ...forAdministrators('The API keys of the gateway, newest first.'),
      args: {
        includeEnded: t.arg.boolean({
          required: true,
          defaultValue: false,
          description: 'Also those that were revoked or have expired.',
        }),
        ...pageArguments(builder),
      },
      resolve: (_, { includeEnded, ...page }, { database }) =>
        pageOfKeys(database, { usableOnly: !includeEnded }, page),
    }),
  );

  const createInput = builder.inputType('CreateApiKeyInput', {
    description: 'The key to make.',
    fields: (t) => ({
      name: t.string({ required: true, description: `What it is for, 1 to ${longestGivenName} characters.` }),
      scopes: t.stringList({
        description:
          'What it may do: `<area>:read`, `:write`, `:submit`, `:cancel`, `:delete`, `*` for all of these, `admin` for keys.',
        ...constrained({ maximumLength: mostNames }),
      }),
      roles: t.stringList({
        description: 'Its roles, which say what it may do, in place of scopes.',
        ...constrained({ maximumLength: mostNames }),
      }),
      claims: t.string({ description: 'What the rules of its roles may ask of it, as JSON: `{"company": "ACME"}`.' }),
      expiresAt: t.field({ type: 'DateTime', description: 'When it expires; left out, it does not.' }),
    }),
  });

  builder.mutationField('createApiKey', (t) =>
    t.field({
      type: apiKeyPayload(builder),
      ...forAdministrators('Creates a key and returns its secret, only this once.'),
      args: { input: t.arg({ type: createInput, required: true, description: 'What it is for and may do.' }) },
      resolve: async (_, { input }, { database, gateway, identity, log }) => {
        const grants = gateway && grantsOfGateways.get(gateway)?.value;
        const { apiKey, secret } = await createKey(database, input, grants);
        const { id, scopes, roles } = apiKey;
        log.info({ apiKey: id, scopes, roles, by: identity.keyId }, 'An API key was made');
        return { apiKey, secret };
      },
    }),
  );

  builder.mutationField('rotateApiKey', (t) =>
    t.field({
      type: apiKeyPayload(builder),
      ...forAdministrators(
        'Makes a key with the name and the scopes of another, and ends the other after a time in which both are valid.',
      ),
      args: {
        id: t.arg.id({ required: true, description: 'Id of the key to replace.' }),
        overlapSeconds: t.arg.int({
          required: true,
          defaultValue: day,
          description: `How long both are valid, in seconds, 0 to ${longestOverlap} (90 days); a day unless given.`,
        }),
        expiresAt: t.arg({
          type: 'DateTime',
          description: 'When the new key expires: left out, when the old one would have; null, never.',
        }),
      },
      resolve: async (_, { id, overlapSeconds, expiresAt }, { database, identity, log }) => {
        const made = await rotateKey(database, id, { overlapSeconds, expiresAt });
        const replaced = publicIdOf(id) ?? id; // never the secret, even if it was passed instead of the id
        log.info({ apiKey: made.apiKey.id, replaced, overlapSeconds, by: identity.keyId }, 'An API key was rotated');
        return made;
      },
    }),
  );

  builder.mutationField('revokeApiKey', (t) =>
    t.field({
      type: apiKeyPayload(builder),
      ...forAdministrators(
        'Revokes a key for good, in every process within a second. A key that is already revoked stays as it was.',
      ),
      args: { id: t.arg.id({ required: true, description: 'Id of the key to revoke.' }) },
      resolve: async (_, { id }, { database, identity, log }) => {
        const revoked = await revokeKey(database, id);
        log.info({ apiKey: revoked.id, by: identity.keyId }, 'An API key was revoked');
        return { apiKey: revoked };
      },
    }),
  );
}
