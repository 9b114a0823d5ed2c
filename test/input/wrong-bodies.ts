/** Invalid bodies: missing members, unknown members, and several problems at once. */
import type { ValueCase } from './value-case.js';

export const wrongBodies: readonly ValueCase[] = [
  {
    what: 'no field at all',
    ...bare('repair', ''),
    problems: { parameter_missing: ['failure_date', 'asset'] },
  },
  {
    what: 'one of two required fields',
    ...bare('repair', '"asset": "PRESS-1"'),
    problems: { parameter_missing: ['failure_date'] },
  },
  {
    what: 'a line with nothing in it',
    ...bare('item', ''),
    problems: { parameter_missing: ['asset_repair_id', 'item_code', 'warehouse'] },
  },
  {
    what: 'a line without its parent',
    ...bare('item', '"item_code": "BOLT", "warehouse": "Main"'),
    problems: { parameter_missing: ['asset_repair_id'] },
  },
  {
    what: 'null for everything required',
    on: 'repair',
    members: '"asset": null, "failure_date": null',
    problems: { parameter_invalid: ['failure_date', 'asset'] },
  },
  {
    what: 'null for what is required of settings',
    on: 'settings',
    by: 'update',
    members: '"api_endpoint": null, "service_provider": null',
    problems: { parameter_invalid: ['api_endpoint', 'service_provider'] },
  },
  ...unknownNames({
    'a name misspelt by a letter': 'repair_costs',
    'a name in capitals': 'ASSET',
    'a name with a space': ' asset',
    'an empty name': '',
    'a name of another record type': 'bold_text',
    'a name with U+0000': 'asset\u0000',
    'half a surrogate pair as a name': '\ud800',
    'a name in another script': 'анализ',
    'the name __proto__': '__proto__',
    'the name constructor': 'constructor',
    'the name toString': 'toString',
    'the name hasOwnProperty': 'hasOwnProperty',
    'the version, which nobody sets': 'version',
  }),
  {
    what: 'a name of 1,000 letters, of which 100 come back',
    on: 'repair',
    members: `"${'n'.repeat(1000)}": 1`,
    problems: { parameter_unknown: [`${'n'.repeat(100)}…`] },
  },
  {
    what: '900 nested lists under an unknown name',
    on: 'repair',
    members: `"deep": ${'['.repeat(900)}${']'.repeat(900)}`,
    problems: { parameter_unknown: ['deep'] },
  },
  {
    what: 'a misspelt name, answered with the nearest one',
    on: 'repair',
    members: '"repair_cots": 5',
    problems: { parameter_unknown: ['repair_cots'] },
    says: 'did you mean',
  },
  {
    what: 'a parent that does not exist',
    on: 'item',
    by: 'create',
    members: '"asset_repair_id": "asset-repair_0"',
    problems: { resource_missing: ['asset_repair_id'] },
    says: 'names no Asset Repair',
  },
  {
    what: 'a parent of another type',
    on: 'item',
    by: 'create',
    members: '"asset_repair_id": "subscription-settings_default"',
    problems: { resource_missing: ['asset_repair_id'] },
  },
  {
    what: 'the parent __proto__',
    on: 'item',
    by: 'create',
    members: '"asset_repair_id": "__proto__"',
    problems: { resource_missing: ['asset_repair_id'] },
  },
  {
    what: 'another parent than before',
    on: 'item',
    by: 'update',
    members: '"asset_repair_id": "asset-repair_0"',
    problems: { parameter_immutable: ['asset_repair_id'] },
  },
  {
    what: 'the same name twice, the second time wrong',
    on: 'repair',
    members: '"asset": "PRESS-1", "asset": 5',
    problems: { parameter_invalid: ['asset'] },
  },
  {
    what: 'wrong values and an unknown name together',
    on: 'repair',
    members: '"repair_cost": "5", "capitalize_repair_cost": 1, "increase_in_asset_life": 1.5, "actions": "none"',
    problems: {
      parameter_invalid: ['repair_cost', 'capitalize_repair_cost', 'increase_in_asset_life'],
      parameter_unknown: ['actions'],
    },
  },
  {
    what: 'one problem of each kind',
    ...bare('item', '"asset_repair_id": 5, "item_code": null, "valuation_rate": "1", "idx": 0, "wharehouse": "Main"'),
    problems: {
      parameter_invalid: ['asset_repair_id', 'item_code', 'valuation_rate', 'idx'],
      parameter_missing: ['warehouse'],
      parameter_unknown: ['wharehouse'],
    },
  },
];

function bare(on: ValueCase['on'], members: string): Pick<ValueCase, 'on' | 'members' | 'by' | 'bare'> {
  return { on, members, by: 'create', bare: true };
}

function unknownNames(names: Record<string, string>): ValueCase[] {
  return Object.entries(names).map(([what, name]) => ({
    what,
    on: 'repair',
    members: `${JSON.stringify(name)}: "PRESS-1"`,
    problems: { parameter_unknown: [name] },
  }));
}
