/** API keys as their administrators see them. */

import { objectOf } from '../../../graphql/builder.js';
import { enumOf } from '../../../graphql/types/enums.js';
import { type Refused, userErrorsField } from '../../../graphql/types/payloads.js';
import { type ApiKey, stateOf } from '../api-keys.js';

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
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it expires; null if it is valid until it is revoked.',
    }),
    revokedAt: t.expose('revokedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was revoked; null if it was not.',
    }),
    lastUsedAt: t.expose('lastUsedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was last used, to the minute; null if it never was.',
    }),
  }),
});

interface ApiKeyPayload extends Partial<Refused> {
  apiKey?: ApiKey;
  secret?: string;
}

export const apiKeyPayload = objectOf<ApiKeyPayload>('ApiKeyPayload', {
  description: 'What became of an API key.',
  fields: (t, builder) => ({
    apiKey: t.expose('apiKey', {
      type: apiKey(builder),
      nullable: true,
      description: 'The key as it is now, the new one where one was made. Null with `userErrors`.',
    }),
    secret: t.exposeString('secret', {
      nullable: true,
      description:
        'What goes into `Authorization: Bearer …` where a key was made, otherwise null. It is shown here and never again.',
    }),
    userErrors: t.field(userErrorsField(builder)),
  }),
});
