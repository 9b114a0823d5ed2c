/** `explainAccess`: why the caller may do something with a record, or not; for administrators also why others may. */
import type { CurrentGrants } from '../../../gateway/access/grants.js';
import { withAccess } from '../../../graphql/answered-by-sql.js';
import type { Builder } from '../../../graphql/builder.js';
import { constrained } from '../../../graphql/inputs/filters.js';
import { recordOperation, recordTypeName } from '../../../graphql/types/enums.js';
import type { RecordOperation } from '../../../model/catalogue.js';
import { errors } from '../../../model/errors/errors.js';
import type { Problem } from '../../../model/errors/problem.js';
import { mostNames } from '../../../model/limits.js';
import { type Resource, singletonId } from '../../../model/resource.js';
import { requiredScopes, requireScopes } from '../../../model/scopes.js';
import { type RuledAction, subjectOf } from '../../../query/rights.js';
import { type ExplainedRule, type Explanation, explainAccess, type Outcome } from './explain-access.js';
import { fieldsGiven, personIn } from './given.js';

/** By what stands for the gateways of this process in the contexts of requests. */
export const rolesOfGateways = new WeakMap<object, CurrentGrants>();

export function addExplainAccess(builder: Builder, resources: readonly Resource[]): void {
  const failed = builder.objectRef<Outcome['failed'][number]>('FailedComparison').implement({
    description: 'A comparison of a rule that a record does not fulfil.',
    fields: (t) => ({
      field: t.exposeString('field', { description: 'The field that is compared.' }),
      operator: t.exposeString('operator', { description: 'How, in the words of filters.' }),
      asked: t.string({
        description: 'What the rule asks for, as JSON.',
        resolve: ({ asked }) => JSON.stringify(asked),
      }),
      found: t.string({
        description: 'What the record has, as JSON.',
        resolve: ({ found }) => JSON.stringify(found),
      }),
    }),
  });
  const outcome = builder.objectRef<Outcome>('RuleOutcome').implement({
    description: 'Whether a record fulfils a rule.',
    fields: (t) => ({
      holds: t.exposeBoolean('holds', { description: 'Whether it does.' }),
      failed: t.expose('failed', { type: [failed], description: 'The comparisons that are false, where it does not.' }),
    }),
  });
  const rule = builder.objectRef<ExplainedRule>('ExplainedRule').implement({
    description: 'What one role says of an action.',
    fields: (t) => ({
      role: t.exposeString('role', { description: 'The name of the role.' }),
      type: t.field({
        type: recordTypeName(builder),
        description: 'The type whose rule it is: for lines that of their document.',
        resolve: ({ resource }) => resource.model,
      }),
      action: t.field({
        type: recordOperation(builder),
        description: 'What the rule is about.',
        resolve: ({ action }) => operations[action],
      }),
      rule: t.exposeString('text', {
        nullable: true,
        description: 'The filter, as JSON; null where the role does not name the action.',
      }),
      unusable: t.exposeStringList('unusable', {
        description: 'What it asks of the caller and cannot use, missing or of another type: it is false then.',
      }),
      before: t.expose('before', {
        type: outcome,
        nullable: true,
        description: 'Of the record as it is; null where none is there.',
      }),
      after: t.expose('after', {
        type: outcome,
        nullable: true,
        description: 'Of the record as it would become; null where it stays as it is.',
      }),
    }),
  });
  const explanation = builder.objectRef<Explanation>('AccessExplanation').implement({
    description: 'Why something may be done with a record, or not.',
    fields: (t) => ({
      allowed: t.boolean({
        description: 'Whether scopes, roles and the state of the record allow it.',
        resolve: ({ reason }) => reason === undefined,
      }),
      reason: t.exposeString('reason', {
        nullable: true,
        description: 'Why not, as the refusal says; null where it is allowed.',
      }),
      missingScopes: t.stringList({
        description: 'The scopes that are needed and not there.',
        resolve: ({ missingScopes }) => [...missingScopes],
      }),
      rules: t.field({
        type: [rule],
        description: 'What each role says, of reading and of the action. Of each, one that holds is enough.',
        resolve: ({ rules }) => [...rules],
      }),
    }),
  });
  const namedValue = builder.inputType('NamedValueInput', {
    description: 'A field that an action would set, or a claim of a caller.',
    fields: (t) => ({
      name: t.string({ required: true, description: 'What it is called.' }),
      value: t.string({
        description:
          'As text: `ACME`, `12.5`, `true`; of a claim, what begins with `[`, `{` or `"` is JSON; null for none.',
      }),
    }),
  });
  const callerInput = builder.inputType('ExplainedCallerInput', {
    description: 'Somebody with roles.',
    fields: (t) => ({
      roles: t.stringList({
        required: true,
        description: 'Their roles.',
        ...constrained({ maximumLength: mostNames }),
      }),
      claims: t.field({
        type: [namedValue],
        description: 'What rules may ask of them.',
        ...constrained({ maximumLength: mostNames }),
      }),
      subject: t.string({ description: 'What stands for `$subject`: `<issuer>|<subject>` or `key:<id>`.' }),
    }),
  });

  builder.queryField('explainAccess', (t) =>
    t.field({
      type: explanation,
      nullable: true,
      ...withAccess('by id'),
      description:
        'Why the caller may do something with a record, or not. What the caller may not see is explained as if it were not there.',
      args: {
        type: t.arg({ type: recordTypeName(builder), required: true, description: 'The type of the record.' }),
        id: t.arg.id({ description: 'The record; left out for CREATE, and for types with one record only.' }),
        action: t.arg({ type: recordOperation(builder), required: true, description: 'What is to be done.' }),
        input: t.arg({
          type: [namedValue],
          description: 'The fields that CREATE or UPDATE would set, for a new line that of its parent too.',
          ...constrained({ maximumLength: 1_000 }),
        }),
        as: t.arg({
          type: callerInput,
          description:
            'Of whom it is explained, if not of the caller. Needs the scope `admin`, and that to read the type.',
        }),
      },
      resolve: async (_, { type, id, action, input, as }, context) => {
        const resource = resources.find(({ model }) => model === type);
        if (!resource) return null;
        const { database, identity, changes, gateway } = context;
        if (as) requireScopes(identity, ['admin', ...requiredScopes(resource, 'retrieve')]);
        if (id == null && action !== 'create' && resource.kind !== 'singleton') throw errors.badInput([needsId]);
        const { read, provider } = database;
        if (!read) throw new Error('A query has no transaction');
        const only = resource.kind === 'singleton' ? singletonId(resource) : undefined;
        return explainAccess(
          { provider, read: (sql, values) => read(sql, values, 'bounded'), locksSubmitted: changes.locksSubmitted },
          {
            resource,
            id: action === 'create' ? undefined : (id ?? only),
            action,
            input: fieldsGiven(resource, input ?? []),
          },
          as
            ? personIn(as, gateway && rolesOfGateways.get(gateway)?.value)
            : { ...identity, rights: identity.rights, subject: subjectOf(identity) },
        );
      },
    }),
  );
}

/** The values of an enum of GraphQL, by what rules name. */
const operations = {
  read: 'retrieve',
  create: 'create',
  update: 'update',
  delete: 'delete',
  submit: 'submit',
  cancel: 'cancel',
} as const satisfies Record<RuledAction, RecordOperation>;

const needsId: Problem = { path: ['id'], code: 'parameter_missing', message: 'is required to explain this action' };
