/** `viewer`: what clients show of the key they use, and which buttons they offer with it. */
import type { Allowance, Identity, KeyLimits, RequestContext } from '../../change/context.js';
import type { RecordOperation } from '../../model/catalogue.js';
import type { Resource } from '../../model/resource.js';
import { hasScope, requiredScopes } from '../../model/scopes.js';
import { ruledActionOf } from '../../query/rights.js';
import { withAccess } from '../answered-by-sql.js';
import { type Builder, instantOrNull, objectOf, orNull } from '../builder.js';
import { recordOperation, recordTypeName } from '../types/enums.js';

/** Whether there may be records with which the rules allow an action. Lines follow their document, whose update a write of them is. */
function isRuledIn({ rights }: Identity, resource: Resource, action: RecordOperation): boolean {
  if (!rights) return true;
  const ofDocument = action === 'retrieve' ? 'read' : 'update';
  const rules = [
    rights.rule(resource, ruledActionOf[action]),
    ...resource.parents.map((parent) => rights.rule(parent.resource, ofDocument)),
  ];
  return rules.some((rule) => !(rule.kind === 'or' && rule.of.length === 0));
}

type Viewer = Identity & Pick<RequestContext, 'allowance'> & { limits: KeyLimits };

const requestRate = objectOf<Allowance>('RequestRate', {
  description: 'How many requests a key may make, as the `RateLimit` headers of the answer say.',
  fields: (t) => ({
    limit: t.exposeInt('limit', { description: 'Requests in each minute of the clock.' }),
    remaining: t.exposeInt('remaining', { description: 'Those left in this minute, without this one.' }),
    resetSeconds: t.exposeInt('reset', { description: 'Seconds until the next minute, at least 1.' }),
  }),
});

const streamPlaces = objectOf<{ limit: number; open: number }>('StreamPlaces', {
  description: 'How many streams of changes a key may have open at the same time.',
  fields: (t) => ({
    limit: t.exposeInt('limit', {
      description: 'All that it may have; 0 where there are none, because the gateway keeps no journal.',
    }),
    remaining: t.int({
      description: 'How many more it may open now, if the gateway has room for them.',
      resolve: ({ limit, open }) => Math.max(0, limit - open),
    }),
  }),
});

export function addViewer(builder: Builder, resources: readonly Resource[]): void {
  // Made where the first field names them: that is their place in the schema.
  const viewer = () =>
    builder.objectRef<Viewer>('Viewer').implement({
      description: 'The API key that sends the request.',
      fields: (t) => ({
        keyId: t.exposeID('keyId', {
          description:
            'The public beginning of the secret, by which logs and histories name it; `environment` for the setting API_KEY.',
        }),
        name: t.exposeString('name', { description: 'What it is for, as stated by its creator.' }),
        scopes: t.expose('scopes', {
          type: ['String'],
          description: 'What it may do: `assets:read`, `*`, `admin` and so on.',
        }),
        roles: t.stringList({
          description: 'Its roles, which give it the scopes; none of a key that has scopes of its own.',
          resolve: ({ roles = [] }) => [...roles],
        }),
        expiresAt: t.expose('expiresAt', instantOrNull('When it expires; null if it is valid until it is revoked.')),
        requestRate: t.expose('allowance', {
          type: requestRate(builder),
          ...orNull('How many requests are left of its rate; null where requests are not limited.'),
        }),
        costLimit: t.int({
          description: 'The highest cost of an operation; one that costs more is refused.',
          resolve: ({ limits }) => limits.cost,
        }),
        streams: t.field({
          type: streamPlaces(builder),
          description: 'How many streams of changes it may have, and how many more it may open.',
          resolve: async ({ keyId, limits }) => ({ limit: limits.streams, open: await limits.openStreams(keyId) }),
        }),
        may: t.boolean({
          description:
            'Whether its scopes, and the rules of its roles, allow something with some records of a type. The state of a record may still forbid it: `actions` of the record says that too.',
          args: {
            type: t.arg({ type: recordTypeName(builder), required: true, description: 'The type of the records.' }),
            action: t.arg({ type: recordOperation(builder), required: true, description: 'What is to be done.' }),
          },
          resolve: (key, { type, action }) => {
            const resource = resources.find(({ model }) => model === type);
            if (!resource?.operations.includes(action)) return false;
            return (
              requiredScopes(resource, action).every((scope) => hasScope(key, scope)) &&
              isRuledIn(key, resource, action)
            );
          },
        }),
        hiddenFields: t.stringList({
          description: 'The fields of a type that its roles hide: they are null, and no value for them is taken.',
          args: {
            type: t.arg({ type: recordTypeName(builder), required: true, description: 'The type of the records.' }),
          },
          resolve: ({ rights }, { type }) => {
            const resource = resources.find(({ model }) => model === type);
            return resource && rights ? [...rights.hidden(resource)] : [];
          },
        }),
      }),
    });

  builder.queryField('viewer', (t) =>
    t.field({
      type: viewer(),
      nullable: true,
      ...withAccess('any key'),
      description: 'The key that sends this request, and what it may do.',
      resolve: (_, _args, { identity, allowance, limits }) => limits && { ...identity, allowance, limits },
    }),
  );
}
