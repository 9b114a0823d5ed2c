/** What roles allow together: their scopes, and their rules as conditions. */
import { hash } from 'node:crypto';
import type { WeighedCache } from '../../../common/kept.js';
import type { Granted, Grants } from '../../../gateway/access/grants.js';
import type { Resource } from '../../../model/resource.js';
import { allOf, anyOf, type Condition, everything, isEverything, never } from '../../../query/condition.js';
import type { Rights, RuledAction } from '../../../query/rights.js';
import type { Role, RulesOfType } from './read-roles.js';
import { conditionOfRule, type Known, knownOf } from './rule.js';

/** `kept` has the rights that were made, by their digests: those who may do the same have the same. */
export function createGrants(roles: readonly Role[], kept: WeighedCache<Granted>): Grants {
  return {
    names: roles.map(({ name }) => name),
    granted(names, person) {
      const held = roles.filter(({ name }) => names.includes(name));
      // Other claims, such as the time of the sign-in, differ each time and decide nothing.
      const known = knownOf(new Set(held.flatMap(({ asked }) => [...asked])), person);
      const digest = hash('sha256', JSON.stringify([held.map((role) => role.digest), [...known.values()]]));
      let granted = kept.get(digest);
      if (!granted) {
        const scopes = Object.freeze([...new Set(held.flatMap((role) => role.scopes))]);
        granted = { scopes, rights: new RightsOfRoles(held, known, digest) };
        kept.set(digest, granted);
      }
      return granted;
    },
  };
}

/** What one role says of an action: one of the rules that are joined in rights. */
export interface RuleOfRole {
  role: string;
  /** What stands in the file about it, and about reading, which is a part of each: `{"AssetRepair":{"read":…,"update":…}}`. */
  rule: string;
  condition: Condition;
  /** What it asks of the caller and cannot use, because it is missing, empty or of another type: then it is never true. */
  unusable: readonly string[];
}

/** What each of the roles that give these rights says of an action. */
export const rulesOf = (rights: Rights | undefined, resource: Resource, action: RuledAction): RuleOfRole[] =>
  rights instanceof RightsOfRoles ? rights.rulesOf(resource, action) : [];

class RightsOfRoles implements Rights {
  /** Only what has been asked for: thousands of people may have rights of their own. */
  readonly #conditions = new Map<string, Condition>();
  readonly #hidden = new Map<string, ReadonlySet<string>>();

  constructor(
    private readonly roles: readonly Role[],
    private readonly known: Known,
    readonly digest: string,
  ) {
    for (const type of roles.flatMap(({ hidden }) => [...hidden.keys()]))
      this.#hidden.set(type, new Set(roles.flatMap(({ hidden }) => hidden.get(type) ?? [])));
  }

  rule(resource: Resource, action: RuledAction): Condition {
    const { model } = resource;
    const ruling = this.roles.filter(({ rules }) => rules.get(model)?.[action]);
    if (ruling.length === 0) return never;
    const key = `${model} ${action}`;
    let condition = this.#conditions.get(key);
    if (!condition) {
      condition = anyOrAll(ruling.map(({ rules }) => this.#ofRole(resource, rules.get(model) ?? {}, action)));
      this.#conditions.set(key, condition);
    }
    return condition;
  }

  hidden({ model }: Resource): ReadonlySet<string> {
    return this.#hidden.get(model) ?? nothing;
  }

  rulesOf(resource: Resource, action: RuledAction): RuleOfRole[] {
    return this.roles.map(({ name: role, rules }) => {
      const own = rules.get(resource.model) ?? {};
      const said = Object.entries(own).filter(([name]) => name === 'read' || name === action);
      const unusable = new Set<string>();
      for (const [, rule] of said) conditionOfRule(rule, this.known, unusable);
      const texts = said.map(([name, { text }]) => `"${name}":${text}`);
      const condition = own[action] ? this.#ofRole(resource, own, action) : never;
      return { role, rule: `{"${resource.model}":{${texts}}}`, condition, unusable: [...unusable] };
    });
  }

  /**
   * What the role allows of what it shows: another that shows more does not let it change more. A role that shows nothing itself
   * is for what the others show.
   */
  #ofRole(resource: Resource, { read, ...rules }: RulesOfType, action: RuledAction): Condition {
    const seen = read ? conditionOfRule(read, this.known) : action === 'read' ? never : this.rule(resource, 'read');
    const rule = action === 'read' ? undefined : rules[action];
    return rule ? both(seen, conditionOfRule(rule, this.known)) : seen;
  }
}

/** True where one of them is; that each role has the scope for its rules, the start has made sure of. */
const anyOrAll = (conditions: Condition[]): Condition =>
  conditions.some(isEverything) ? everything : anyOf(...conditions);

const nothing: ReadonlySet<string> = new Set();

/** Rules that say the same of two actions are compared once. */
function both(one: Condition, other: Condition): Condition {
  if (isNever(one) || isNever(other)) return never;
  return JSON.stringify(one) === JSON.stringify(other) ? one : allOf(one, other);
}

const isNever = (condition: Condition): boolean => condition.kind === 'or' && condition.of.length === 0;
