/** API keys as their administrators see them. */
import { type ApiKey, type CreatedKey, stateOf } from '../../../access/api-key.js';
import { perBuilder } from '../../per-builder.js';

const keyState = perBuilder((builder) =>
  builder.enumType('ApiKeyState', {
    description: 'What has become of a key.',
    values: {
      ACTIVE: { value: 'active', description: 'It opens what its scopes say.' },
      EXPIRED: { value: 'expired', description: 'Its time is over; it opens nothing.' },
      REVOKED: { value: 'revoked', description: 'It was ended by hand; it opens nothing.' },
    } as const,
  }),
);

export const apiKey = perBuilder((builder) =>
  builder.objectRef<ApiKey>('ApiKey').implement({
    description: 'A key that opens the gateway. Its secret is shown once, when the key is made, and stored nowhere.',
    fields: (t) => ({
      id: t.exposeID('id', {
        description:
          'The public beginning of the secret, by which logs name it; `environment` for the setting API_KEY.',
      }),
      name: t.exposeString('name', { description: 'What it is for, in the words of whoever made it.' }),
      scopes: t.exposeStringList('scopes', { description: 'What it may do: `assets:read`, `*`, `admin` and so on.' }),
      state: t.field({
        type: keyState(builder),
        description: 'Whether it still opens anything.',
        resolve: (key) => stateOf(key),
      }),
      createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
      expiresAt: t.expose('expiresAt', {
        type: 'DateTime',
        nullable: true,
        description: 'From then on it opens nothing; null where it opens until it is revoked.',
      }),
      revokedAt: t.expose('revokedAt', {
        type: 'DateTime',
        nullable: true,
        description: 'When it was ended by hand; null where it was not.',
      }),
      lastUsedAt: t.expose('lastUsedAt', {
        type: 'DateTime',
        nullable: true,
        description: 'When somebody last came in with it, to the minute; null where nobody has yet.',
      }),
    }),
  }),
);

export const createdKey = perBuilder((builder) =>
  builder.objectRef<CreatedKey>('MadeApiKey').implement({
    description: 'A key that was made just now, with its secret.',
    fields: (t) => ({
      apiKey: t.expose('apiKey', { type: apiKey(builder), description: 'All that can be seen of it later.' }),
      secret: t.exposeString('secret', {
        description: 'What goes into `Authorization: Bearer …`. It is shown here and never again.',
      }),
    }),
  }),
);
