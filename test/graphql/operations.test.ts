import { describe, expect, test } from 'vitest';
import { presentationOf } from '../../src/model/presentation.js';
import { recordName } from '../../src/model/record-name.js';
import { allResources } from '../../src/model/resources.js';
import { type DocumentedResource, documentedResources, documentLike } from '../contract/document.js';
import { documentedFields, modelName } from '../contract/documented-fields.js';
import { camel, manyOf, mutationOf, oneOf, pluralOf } from '../contract/graphql-names.js';
import { onBothDatabases } from '../contract/on-both-databases.js';
import { schema } from '../support/schema.js';
import { ask } from './ask.js';
import { type AnyRecord, createParent, createRecord, wholeSelection } from './records.js';

const isDocumentLike = ({ title }: DocumentedResource) => documentLike.includes(title);
const reorderOf = (resource: DocumentedResource) => `reorder${pluralOf(resource)}`;
const manyAtOnce = (verb: string, resource: DocumentedResource) => `${verb}Many${pluralOf(resource)}`;

describe('the schema', () => {
  test('reads one, many and their aggregate of every type, the singletons, any node, previews, keys, uses, changes, webhooks, the caller, what explains access, and a search of all, and nothing else', () => {
    const expected = documentedResources.flatMap((resource) =>
      resource.kind === 'singleton'
        ? [oneOf(resource)]
        : [oneOf(resource), manyOf(resource), `${oneOf(resource)}Aggregate`],
    );
    const others = [
      'apiDeprecations',
      'apiKeys',
      'apiUses',
      'changes',
      'explainAccess',
      'history',
      'node',
      'nodes',
      'previewAction',
      'search',
      'viewer',
      'webhookAttempts',
      'webhooks',
    ];
    expect(fieldsOf('Query')).toEqual([...expected, ...others].sort());
  });

  test('creates, updates, saves, deletes, submits, cancels and reorders what can be, and nothing else', () => {
    const expected = documentedResources.flatMap((resource) => [
      mutationOf('update', resource),
      ...(resource.kind === 'singleton' ? [] : [mutationOf('create', resource), mutationOf('delete', resource)]),
      ...(isDocumentLike(resource) ? [mutationOf('submit', resource), mutationOf('cancel', resource)] : []),
      ...(resource.kind === 'child' ? [reorderOf(resource)] : []),
      ...(resource.kind === 'child' ? [] : [mutationOf('save', resource)]),
      ...(resource.kind === 'resource'
        ? ['create', 'update', 'delete', 'actOn'].map((verb) => manyAtOnce(verb, resource))
        : []),
    ]);
    const ofKeys = ['createApiKey', 'rotateApiKey', 'revokeApiKey'];
    const ofWebhooks = [
      ...['create', 'update', 'delete', 'replay', 'test'].map((verb) => `${verb}Webhook`),
      'rotateWebhookSecret',
      'redeliverWebhookMessage',
    ];
    expect(fieldsOf('Mutation')).toEqual([...expected, ...ofKeys, ...ofWebhooks].sort());
  });

  function fieldsOf(type: 'Query' | 'Mutation'): string[] {
    const root = type === 'Query' ? schema.getQueryType() : schema.getMutationType();
    return Object.keys(root?.getFields() ?? {}).sort();
  }
});

onBothDatabases((gateway, share) => {
  test.each(share(titled(({ kind }) => kind === 'resource')))(
    '%s: create, read, list, update, delete',
    async (_, resource) => {
      const [older, record] = [await createRecord(gateway(), resource), await createRecord(gateway(), resource)];
      expect(record.id).toMatch(new RegExp(`^${resource.slug}_[0-9a-hjkmnp-tv-z]{26}$`));
      expect(await one(resource, record.id)).toEqual(record);

      const { page } = await ask(
        gateway(),
        `{ page: ${manyOf(resource)} { nodes { ${wholeSelection(resource)} } totalCount } }`,
      );
      expect(page).toEqual({ nodes: [record, older], totalCount: 2 });

      const changed = await update(resource, record.id);
      expect(changed).toEqual({ ...changedFrom(resource, record), version: 2, updatedAt: changed.updatedAt });
      expect(await one(resource, record.id)).toEqual(changed);

      expect(await remove(resource, record.id)).toEqual({ deletedId: record.id, deleted: true, parent: null });
      expect(await one(resource, record.id)).toBeNull();
      expect(await one(resource, older.id)).toEqual(older);
    },
  );

  test.each(share(titled(({ kind }) => kind !== 'child')))('%s: save, after a trial', async (_, resource) => {
    const id =
      resource.kind === 'singleton' ? `${resource.slug}_default` : (await createRecord(gateway(), resource)).id;
    const before = await one(resource, id);
    const query = `mutation ($id: ID!, $input: Save${modelName(resource.title)}Input!, $try: Boolean!) {
      saved: ${mutationOf('save', resource)}(id: $id, input: $input, validateOnly: $try) {
        record { ${wholeSelection(resource)} } changes { fields } userErrors { code }
      }
    }`;
    const save = async (isTrial: boolean) =>
      (await ask(gateway(), query, { id, input: plainChange(resource), try: isTrial })).saved;
    const trial = await save(true);
    expect(trial).toMatchObject({ record: null, userErrors: [] });
    expect(await one(resource, id)).toEqual(before);
    const { record, changes } = await save(false);
    expect(changes).toEqual(trial.changes);
    expect(changes.fields.length).toBeGreaterThan(0);
    expect(record).toEqual({
      ...changedFrom(resource, before),
      version: before.version + 1,
      updatedAt: record.updatedAt,
      updatedBy: 'key:environment',
    });
  });

  test.each(share(titled(isDocumentLike)))('%s: submit, then cancel', async (_, resource) => {
    const { id } = await createRecord(gateway(), resource);
    for (const [action, status] of [
      ['submit', 'SUBMITTED'],
      ['cancel', 'CANCELLED'],
    ] as const) {
      const { moved } = await ask(
        gateway(),
        `mutation ($id: ID!) { moved: ${mutationOf(action, resource)}(id: $id) { record { ${wholeSelection(resource)} } } }`,
        { id },
      );
      expect(moved.record).toMatchObject({ id, status });
      expect(await one(resource, id)).toEqual(moved.record);
    }
  });

  test.each(share(titled(({ kind }) => kind === 'singleton')))('%s: read, update', async (_, resource) => {
    const { record } = await ask(gateway(), `{ record: ${oneOf(resource)} { ${wholeSelection(resource)} } }`);
    expect(record.id).toBe(`${resource.slug}_default`);
    const changed = await update(resource, record.id);
    expect(changed).toEqual({ ...changedFrom(resource, record), version: 2, updatedAt: changed.updatedAt });
    expect((await ask(gateway(), `{ record: ${oneOf(resource)} { ${wholeSelection(resource)} } }`)).record).toEqual(
      changed,
    );
  });

  test.each(share(titled(({ kind }) => kind === 'child')))(
    '%s: create, read, list, update, reorder, delete',
    async (_, resource) => {
      const parentId = await createParent(gateway(), resource);
      const first = await createRecord(gateway(), resource, {}, parentId);
      const second = await createRecord(gateway(), resource, {}, parentId);
      expect([first.idx, second.idx]).toEqual([1, 2]);
      expect(first.id).toMatch(new RegExp(`^${resource.slug}_[0-9a-hjkmnp-tv-z]{26}$`));
      expect(await one(resource, first.id)).toEqual(first);
      expect(await lines(resource, parentId)).toEqual([first, second]);

      const changed = await update(resource, first.id);
      expect(changed).toEqual({ ...changedFrom(resource, first), version: 2 });

      const { reordered } = await ask(
        gateway(),
        `mutation ($parentId: ID!, $ids: [ID!]) {
        reordered: ${reorderOf(resource)}(parentId: $parentId, ids: $ids) { records { id idx } }
      }`,
        { parentId, ids: [second.id, first.id] },
      );
      expect(reordered.records).toEqual([
        { id: second.id, idx: 1 },
        { id: first.id, idx: 2 },
      ]);

      expect(await remove(resource, second.id)).toEqual({
        deletedId: second.id,
        deleted: true,
        parent: resource.parent ? { __typename: modelName(resource.parent), id: parentId } : null,
      });
      expect(await lines(resource, parentId)).toMatchObject([{ id: first.id, idx: 1 }]);
      expect(await one(resource, second.id)).toBeNull();
    },
  );

  async function one(resource: DocumentedResource, id: string) {
    const isOnly = resource.kind === 'singleton';
    const [declared, given] = isOnly ? ['', ''] : ['($id: ID!)', '(id: $id)'];
    const query = `query ${declared} { record: ${oneOf(resource)}${given} { ${wholeSelection(resource)} } }`;
    return (await ask(gateway(), query, isOnly ? {} : { id })).record;
  }

  async function lines(resource: DocumentedResource, parentId: string) {
    const query = `query ($parentId: ID!) {
      page: ${manyOf(resource)}(parentId: $parentId) { nodes { ${wholeSelection(resource)} } }
    }`;
    return (await ask(gateway(), query, { parentId })).page.nodes;
  }

  async function update(resource: DocumentedResource, id: string) {
    const query = `mutation ($id: ID!, $input: Update${modelName(resource.title)}Input!) {
      updated: ${mutationOf('update', resource)}(id: $id, input: $input) { record { ${wholeSelection(resource)} } }
    }`;
    return (await ask(gateway(), query, { id, input: plainChange(resource) })).updated.record;
  }

  async function remove(resource: DocumentedResource, id: string) {
    const query = `mutation ($id: ID!) {
      gone: ${mutationOf('delete', resource)}(id: $id) { deletedId deleted parent { __typename id } }
    }`;
    return (await ask(gateway(), query, { id })).gone;
  }
});

function titled(fits: (resource: DocumentedResource) => boolean): [string, DocumentedResource][] {
  return documentedResources.filter(fits).map((resource) => [resource.title, resource]);
}

/** A new value for the last documented field without other effects: no reference, no state, no title. */
function plainChange(resource: DocumentedResource): Record<string, unknown> {
  const field = documentedFields(resource).findLast(({ name }) => name !== 'title');
  if (!field) throw new Error(`${resource.title} has no field`);
  const value = { string: 'changed', number: 99.5, integer: 99, boolean: field.default !== true }[field.type];
  return { [camel(field.name)]: value };
}

/** A record with that value, also in its name, if it has no title of its own. */
function changedFrom(resource: DocumentedResource, before: AnyRecord) {
  const after = { ...before, ...plainChange(resource) };
  const known = allResources.find(({ model }) => model === modelName(resource.title));
  const name = known && recordName(presentationOf(known), after);
  return { ...after, displayTitle: before.title ? before.displayTitle : name || before.id };
}
