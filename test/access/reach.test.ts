/**
 * A key is limited to areas, so only links may lead from the records of one area to those of another: they need the
 * scopes of the linked type (`links.slow.test.ts`).
 */
import { getNamedType, isInputObjectType, isObjectType } from 'graphql';
import { describe, expect, test } from 'vitest';
import { accessOf } from '../../src/graphql/answered-by-sql.js';
import { documentedResources } from '../contract/document.js';
import { modelName } from '../contract/documented-fields.js';
import { resources } from '../support/resources.js';
import { schema } from '../support/schema.js';

const areaOf = new Map(documentedResources.map(({ title, base }) => [modelName(title), base.split('/')[2]]));

const roots = [schema.getQueryType(), schema.getMutationType()].flatMap((type) =>
  Object.values(type?.getFields() ?? {}).map((field) => ({ field, access: accessOf(field) })),
);

describe.each([...new Set(areaOf.values())])('from the fields of %s', (area) => {
  const fields = roots.flatMap(({ field, access }) =>
    typeof access === 'object' && 'resource' in access && access.resource.area === area ? [field] : [],
  );
  const own = [...areaOf].filter(([, other]) => other === area).map(([model]) => model);

  test('its own records are reached and no others, by whatever selection', () => {
    const reached = reachable(fields.map(({ type }) => getNamedType(type).name));
    // The parent of a deleted line may be any record: it needs the scopes of that record, like `node`.
    expect(reached.filter((name) => areaOf.has(name)).sort()).toEqual(own.sort());
    expect(reached).not.toContain('Node');
  });

  test('conditions are on its own records and on no others', () => {
    const given = fields.flatMap(({ args }) => args.map(({ type }) => getNamedType(type).name));
    const conditions = reachable(given).filter((name) => /Filter$/.test(name));
    const models = new Set(conditions.map((name) => name.replace(/(Lines)?Filter$/, '')));
    expect([...models].filter((model) => !own.includes(model))).toEqual([]);
  });
});

test('every other field of Query and Mutation is about keys, webhooks or the caller, or finds by id alone', () => {
  const others = roots.filter(({ access }) => typeof access !== 'object' || 'scope' in access);
  expect(Object.fromEntries(others.map(({ field, access }) => [field.name, access]))).toEqual({
    node: 'by id',
    nodes: 'by id',
    previewAction: 'by id',
    history: 'by id',
    changes: 'by id',
    search: 'by id',
    explainAccess: 'by id',
    viewer: 'any key',
    apiKeys: { scope: 'admin' },
    createApiKey: { scope: 'admin' },
    rotateApiKey: { scope: 'admin' },
    revokeApiKey: { scope: 'admin' },
    apiUses: { scope: 'admin' },
    apiDeprecations: { scope: 'admin' },
    webhooks: { scope: 'webhooks' },
    webhookAttempts: { scope: 'webhooks' },
    createWebhook: { scope: 'webhooks' },
    updateWebhook: { scope: 'webhooks' },
    deleteWebhook: { scope: 'webhooks' },
    rotateWebhookSecret: { scope: 'webhooks' },
    replayWebhook: { scope: 'webhooks' },
    redeliverWebhookMessage: { scope: 'webhooks' },
    testWebhook: { scope: 'webhooks' },
  });
});

/** The fields of a record type, or of its filter, that are links. */
function linksIn(name: string): ReadonlySet<string> {
  const resource = resources.find(({ model }) => name === model || name === `${model}Filter`);
  return new Set([...(resource?.links ?? []), ...(resource?.waysBack ?? [])].map(({ field }) => field));
}

test('every link has the access of what it leads to, there and back', () => {
  for (const { model, links, waysBack } of resources) {
    const type = schema.getType(model);
    const fields = isObjectType(type) ? type.getFields() : {};
    for (const { field, resource } of [...links, ...waysBack]) {
      expect(fields[field] && accessOf(fields[field]), `${model}.${field}`).toMatchObject({ resource });
    }
  }
});

/** The names of all types that a selection, or an input, can lead to. */
function reachable(names: string[]): string[] {
  const seen = new Set<string>();
  const visit = (name: string) => {
    if (seen.has(name)) return;
    seen.add(name);
    const type = schema.getType(name);
    if (!isObjectType(type) && !isInputObjectType(type)) return;
    const links = linksIn(name);
    for (const field of Object.values(type.getFields())) {
      if (links.has(field.name)) continue;
      if (name !== 'DeletePayload' || field.name !== 'parent') visit(String(getNamedType(field.type)));
    }
  };
  for (const name of names) visit(name);
  return [...seen];
}
