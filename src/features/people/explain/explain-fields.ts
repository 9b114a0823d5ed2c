/** `explainAccess`: why the caller may do something with a record, or not; for administrators also why others may. */
import { grantsOfGateways } from '../../../gateway/access/grants.js';
import { withAccess } from '../../../graphql/answered-by-sql.js';
import { type Builder, orNull } from '../../../graphql/builder.js';
import { constrained } from '../../../graphql/inputs/filters.js';
import { weighed } from '../../../graphql/limits/cost-parts.js';
import { recordOperation, recordTypeName } from '../../../graphql/types/enums.js';
import { mostNames } from '../../../model/limits.js';
import type { Resource } from '../../../model/resource.js';
import { requiredScopes, requireScopes } from '../../../model/scopes.js';
import { ruledActionOf, subjectOf } from '../../../query/rights.js';
import { type ExplainedRule, type Explanation, explainAccess, fieldsGiven, personIn } from './explain-access.js';

/** The cost of an explanation: it decides all rules of the caller again, and tells of each comparison. */
const explanationWeight = 5_000;

export function addExplainAccess(builder: Builder, resources: readonly Resource[]): void {
  const rule = builder.objectRef<ExplainedRule>('ExplainedRule').implement({
    description: 'What one role says.',
    fields: (t) => ({
      role: t.exposeString('role', { description: 'The name of the role.' }),
      rule: t.exposeString('rule', {
        description:
          'What it says of reading and of the action, as JSON: of a line it is about its document, and empty where it names none of them.',
      }),
      before: t.exposeBoolean('before', orNull('Whether it holds for the record as it is; null where none is there.')),
      after: t.exposeBoolean(
        'after',
        orNull('Whether it holds for the record as it would become; null where it stays as it is.'),
      ),
      failed: t.exposeStringList('failed', {
        description:
          'Why it does not hold: what it asks of the caller and cannot use, and each comparison that is false.',
      }),
    }),
  });
  const explanation = builder.objectRef<Explanation>('AccessExplanation').implement({
    description: 'Why something may be done with a record, or not.',
    fields: (t) => ({
      allowed: t.exposeBoolean('allowed', {
        description: 'Whether scopes, roles and the state of the record allow it.',
      }),
      reason: t.exposeString('reason', orNull('Why not, as the refusal says; null where it is allowed.')),
      missingScopes: t.exposeStringList('missingScopes', { description: 'The scopes that are needed and not there.' }),
      rules: t.expose('rules', {
        type: [rule],
        description: 'What each role says of the action. One that holds is enough, before and after it.',
      }),
    }),
  });
  const caller = builder.inputType('ExplainedCallerInput', {
    description: 'Somebody with roles.',
    fields: (t) => ({
      roles: t.stringList({
        required: true,
        description: 'Their roles.',
        ...constrained({ maximumLength: mostNames }),
      }),
      claims: t.string({ description: 'What rules may ask of them, as JSON: `{"company": "ACME"}`.' }),
      subject: t.string({ description: 'What stands for `$subject`: `<issuer>|<subject>` or `key:<id>`.' }),
    }),
  });

  builder.queryField('explainAccess', (t) =>
    t.field({
      type: explanation,
      nullable: true,
      ...withAccess(
        'by id',
        weighed(() => explanationWeight),
      ),
      description:
        'Why the caller may do something with a record, or not. What the caller may not see is explained as if it were not there.',
      args: {
        type: t.arg({ type: recordTypeName(builder), required: true, description: 'The type of the record.' }),
        id: t.arg.id({ description: 'The record; left out for CREATE, and for types with one record only.' }),
        action: t.arg({ type: recordOperation(builder), required: true, description: 'What is to be done.' }),
        input: t.arg.string({
          description:
            'The fields that CREATE or UPDATE would set, as JSON: `{"company": "ACME"}`; for a new line that of its parent too.',
        }),
        as: t.arg({
          type: caller,
          description:
            'Of whom it is explained, if not of the caller. Needs the scope `admin`, and that to read the type.',
        }),
      },
      resolve: async (_, { type, id, action, input, as }, { database, identity, changes, gateway }) => {
        const resource = resources.find(({ model }) => model === type);
        if (!resource) return null;
        if (as) requireScopes(identity, ['admin', ...requiredScopes(resource, 'retrieve')]);
        const { read, provider } = database;
        if (!read) throw new Error('A query has no transaction');
        const grants = gateway && grantsOfGateways.get(gateway)?.value;
        return explainAccess(
          { provider, read: (sql, values) => read(sql, values, 'bounded'), locksSubmitted: changes.locksSubmitted },
          { resource, id, action: ruledActionOf[action], input: fieldsGiven(resource, input) },
          as ? personIn(as, grants) : { ...identity, subject: subjectOf(identity) },
        );
      },
    }),
  );
}
