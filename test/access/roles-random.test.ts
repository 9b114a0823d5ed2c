/** Random rules with random claims show what a list shows by the same filter with the values of the claims in it. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createKey } from '../../src/features/keys/api-keys.js';
import { startGateway } from '../support/gateway.js';
import { serve } from '../support/schema.js';
import { callerOf } from './keys.js';
import { rolesFile } from './roles.js';

/** A part of a rule, what stands there in the filter of a list, and the claims that it asks for. */
interface Part {
  rule: unknown;
  filter: unknown;
  claims: { name: string; value: unknown }[];
  /** Whether all claims can be used. */
  isUsable: boolean;
}

const texts = fc.constantFrom('ACME', 'Acme', 'ACME Ltd', 'Ltd', '$claims.company', '$$', 'Ölwerk');
const fields: Record<string, fc.Arbitrary<string | number | null>> = {
  asset: texts,
  company: texts,
  costCenter: texts,
  repairCost: fc.constantFrom(0, 1.5, 2, 100),
  increaseInAssetLife: fc.constantFrom(0, 1, 12),
  status: fc.constantFrom('DRAFT', 'SUBMITTED', 'CANCELLED'),
};
const places = fc.integer({ min: 0, max: 999_999 }).map((number) => `c${number}`);

const literal = (value: unknown): Part => ({
  rule: typeof value === 'string' && value.startsWith('$') ? `$${value}` : value,
  filter: value,
  claims: [],
  isUsable: true,
});

/** A text comes from a claim that is right, or missing, empty or a list. */
const ofClaim = (value: unknown): fc.Arbitrary<Part> =>
  fc
    .record({ place: places, wrong: fc.constantFrom(...Array(9).fill(undefined), '', ['ACME'], 'missing') })
    .map(({ place, wrong }) => ({
      rule: `$claims.${place}`,
      filter: value,
      claims: wrong === 'missing' ? [] : [{ name: place, value: wrong ?? value }],
      isUsable: wrong === undefined,
    }));

const operand = (value: fc.Arbitrary<unknown>): fc.Arbitrary<Part> =>
  value.chain((each) => fc.oneof(fc.constant(literal(each)), ...(typeof each === 'string' ? [ofClaim(each)] : [])));

const operands = (value: fc.Arbitrary<unknown>): fc.Arbitrary<Part> =>
  fc.oneof(
    fc.array(operand(value), { minLength: 1, maxLength: 3 }).map((parts) => joined(parts, (each) => each)),
    fc.record({ place: places, list: fc.array(value, { maxLength: 3 }) }).map(({ place, list }) => ({
      rule: `$claims.${place}`,
      filter: list,
      claims: [{ name: place, value: list }],
      isUsable: list.length > 0,
    })),
  );

function joined(parts: readonly Part[], make: (each: unknown[]) => unknown): Part {
  return {
    rule: make(parts.map(({ rule }) => rule)),
    filter: make(parts.map(({ filter }) => filter)),
    claims: parts.flatMap(({ claims }) => claims),
    isUsable: parts.every(({ isUsable }) => isUsable),
  };
}

const comparison = fc.constantFrom(...Object.entries(fields)).chain(([field, value]) => {
  const of = (operators: string[], arbitrary: fc.Arbitrary<Part>) =>
    fc
      .constantFrom(...operators)
      .chain((operator) => arbitrary.map((part) => joined([part], ([each]) => ({ [field]: { [operator]: each } }))));
  const isText = value === texts;
  return fc.oneof(
    of(['eq', 'ne'], operand(value)),
    of(['in', 'notIn'], operands(value)),
    of(['isNull'], fc.boolean().map(literal)),
    ...(field === 'status' ? [] : [of(['lt', 'lte', 'gt', 'gte'], operand(value))]),
    ...(isText ? [of(['contains', 'startsWith', 'endsWith'], operand(value))] : []),
  );
});

const { filter } = fc.letrec<{ filter: Part }>((tie) => {
  const several = fc.array(tie('filter'), { minLength: 1, maxLength: 3 });
  return {
    filter: fc.oneof(
      { depthSize: 'small' },
      comparison,
      several.map((parts) => joined(parts, (and) => ({ and }))),
      several.map((parts) => joined(parts, (or) => ({ or }))),
      tie('filter').map((part) => joined([part], ([not]) => ({ not }))),
    ),
  };
});

const list =
  'query ($where: AssetRepairFilter) { assetRepairs(first: 1000, where: $where) { totalCount nodes { id } } }';
const create =
  'mutation ($inputs: [CreateAssetRepairInput!]!) { createManyAssetRepairs(inputs: $inputs) { userErrors { message } } }';

test.each([
  ['sqlite', true],
  ['sqlite', false],
  ['postgresql', true],
] as const)(
  'on %s, compiled: %s',
  async (database, compiled) => {
    const ROLES = rolesFile({});
    const features = await serve({ ROLES });
    const gateway = await startGateway({ database, compiled, env: { ROLES }, features });
    try {
      const value = (field: string) => fc.option(fields[field] ?? texts, { freq: 4 });
      const row = fc.record({
        asset: texts,
        failureDate: fc.constant('2026-11-20'),
        company: value('company'),
        costCenter: value('costCenter'),
        repairCost: fields.repairCost ?? texts,
        increaseInAssetLife: value('increaseInAssetLife'),
      });
      const inputs = fc.sample(row, { numRuns: 60, seed: 7 });
      expect((await gateway.graphql(create, { inputs })).body.errors).toBeUndefined();
      let shown = 0;
      const property = fc.asyncProperty(fc.array(filter, { minLength: 1, maxLength: 2 }), async (parts) => {
        const roles = parts.map(({ rule }, index) => [
          `r${index}`,
          { scopes: ['assets:read'], types: { AssetRepair: { read: rule } } },
        ]);
        rolesFile(Object.fromEntries(roles), ROLES.replace(/\/[^/]*$/, ''));
        for (const { grants, reloads } of features) if (grants) reloads?.read(gateway.config, [])();
        const claims = parts.flatMap((part) => part.claims);
        // One claim is asked for by two places now and then, and then it has one value.
        fc.pre(new Set(claims.map(({ name }) => name)).size === claims.length);
        const { secret } = await createKey(gateway.database, {
          name: 'x',
          roles: roles.map(([name]) => String(name)),
          claims: JSON.stringify(Object.fromEntries(claims.map((each) => [each.name, each.value]))),
        });
        const found = (await callerOf(gateway, secret).graphql(list)).body;
        const usable = parts.filter(({ isUsable }) => isUsable).map((part) => part.filter);
        const expected = (await gateway.graphql(list, { where: { or: usable } })).body;
        expect(found).toEqual(expected);
        shown += found.data.assetRepairs.totalCount;
      });
      await fc.assert(property, { numRuns: 80 });
      expect(shown).toBeGreaterThan(100);
    } finally {
      await gateway.close();
    }
  },
  120_000,
);
