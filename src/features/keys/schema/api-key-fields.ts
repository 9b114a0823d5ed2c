/** Managing API keys, for keys with the scope `admin`. */

import { publicIdOf } from '../../../gateway/access/authenticator.js';
import { grantsOfGateways } from '../../../gateway/access/grants.js';
import { forHolders } from '../../../graphql/answered-by-sql.js';
import { type Builder, instantOrNull, objectOf, orNull } from '../../../graphql/builder.js';
import { constrained } from '../../../graphql/inputs/filters.js';
import { connectionOfOwn, pageArguments } from '../../../graphql/types/connection.js';
import { enumOf } from '../../../graphql/types/enums.js';
import { type Refused, userErrorsField } from '../../../graphql/types/payloads.js';
import { longestGivenName, mostNames } from '../../../model/limits.js';
import { type ApiKey, createKey, longestOverlap, pageOfKeys, revokeKey, rotateKey, stateOf } from '../api-keys.js';

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

const keyState = enumOf('ApiKeyState', 'Whether a key is valid, or why it is refused.', {
  active: 'It allows what its scopes say.',
  expired: 'It has expired, and is refused.',
  revoked: 'It was revoked, and is refused.',
});

export const apiKey = objectOf<ApiKey>('ApiKey', {
  description: 'A key that opens the gateway. Its secret is shown once, when the key is made, and stored nowhere.',
  fields: (t, builder) => ({
    id: t.exposeID('id', {
      description: 'The public beginning of the secret, by which logs name it; `environment` for the setting API_KEY.',
    }),
    name: t.exposeString('name', { description: 'What it is for, as stated by its creator.' }),
    scopes: t.exposeStringList('scopes', { description: 'What it may do: `assets:read`, `*`, `admin` and so on.' }),
    roles: t.exposeStringList('roles', { description: 'Its roles, which give it scopes in place of its own.' }),
    claims: t.string({
      description: 'What the rules of its roles may ask of it, as JSON.',
      resolve: ({ claims }) => JSON.stringify(claims),
    }),
    state: t.field({
      type: keyState(builder),
      description: 'Whether it is still valid.',
      resolve: (key) => stateOf(key),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
    expiresAt: t.expose('expiresAt', instantOrNull('When it expires; null if it is valid until it is revoked.')),
    revokedAt: t.expose('revokedAt', instantOrNull('When it was revoked; null if it was not.')),
    lastUsedAt: t.expose('lastUsedAt', instantOrNull('When it was last used, to the minute; null if it never was.')),
  }),
});

const apiKeyPayload = objectOf<Partial<Refused & { apiKey: ApiKey; secret: string }>>('ApiKeyPayload', {
  description: 'What became of an API key.',
  fields: (t, builder) => ({
    apiKey: t.expose('apiKey', {
      type: apiKey(builder),
      ...orNull('The key as it is now, the new one where one was made. Null with `userErrors`.'),
    }),
    secret: t.exposeString(
      'secret',
      orNull(
        'What goes into `Authorization: Bearer …` where a key was made, otherwise null. It is shown here and never again.',
      ),
    ),
    userErrors: t.field(userErrorsField(builder)),
  }),
});
