/** What roles allow together: their scopes, and their rules as conditions. */
import { hash } from 'node:crypto';
import { WeighedCache } from '../../../common/kept.js';
import { type Granted, type Grants, noRights, type Person } from '../../../gateway/access/grants.js';
import type { Resource } from '../../../model/resource.js';
import { allOf, anyOf, type Condition, everything, isEverything, never } from '../../../query/condition.js';
import type { Rights, RuledAction } from '../../../query/rights.js';
import type { Role } from './read-roles.js';
import { askedOf, conditionOfRule, type RoleRule, tooLarge, unusableIn } from './rule.js';

/** What was granted, by its digest: those who may do the same have the same object, with all that others keep by it. */
export const keptGrants = (): WeighedCache<Granted> => new WeighedCache(1_000, () => 1);

/** `kept` is given where the file is read again: those who may do the same as before have the same object as before. */
export const createGrants = (roles: readonly Role[], kept = keptGrants()): Grants => ({
  names: roles.map(({ name }) => name),
  granted(names, person) {
    const held = roles.filter(({ name }) => names.includes(name));
    const rules = held.flatMap((role) => role.rules);
    // Other claims, such as the time of the sign-in, differ each time and decide nothing.
    const asked = new Set(rules.flatMap((rule) => rule.asked));
    const known = Array.from(asked, (name) => askedOf(person, name));
    const digest = hash('sha256', JSON.stringify([held.map((role) => role.digest), known]));
    const before = kept.get(digest);
    if (before) return before;
    const large = tooLarge(rules, person);
    const whyNone = large ? `Your roles cannot be used: ${large}.` : unknownRoles;
    if (large || held.length === 0) return { scopes: [], rights: noRights, whyNone };
    const scopes = [...new Set(held.flatMap((role) => role.scopes))];
    const granted = { scopes, rights: new RightsOfRoles(held, person, digest) };
    kept.set(digest, granted);
    return granted;
  },
});

const unknownRoles = 'It has roles, and none of them is in the file of the setting ROLES.';

/** What one role says of an action: one of the rules that are joined in rights. */
export interface RuleOfRole {
  role: string;
  /** What stands in the file about it, and about reading, which is a part of each: `{"AssetRepair":{"read":…,"update":…}}`. */
  rule: string;
  condition: Condition;
  /** Why it is never true for the caller: it does not name the action, or asks for a claim that cannot be used. */
  whyNever: readonly string[];
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
    private readonly person: Person,
    readonly digest: string,
  ) {
    for (const type of roles.flatMap(({ hidden }) => [...hidden.keys()]))
      this.#hidden.set(type, new Set(roles.flatMap(({ hidden }) => hidden.get(type) ?? [])));
  }

  hidden({ model }: Resource): ReadonlySet<string> {
    return this.#hidden.get(model) ?? nothing;
  }

  /**
   * What each role allows of what it shows: another that shows more does not let it change more. Those that show nothing
   * themselves are for what the others show.
   */
  rule(resource: Resource, action: RuledAction): Condition {
    const key = `${resource.model} ${action}`;
    const known = this.#conditions.get(key);
    if (known) return known;
    const own: Condition[] = [];
    const others: Condition[] = [];
    for (const role of this.roles) {
      const [seen, allowed] = [this.#said(role, resource, 'read'), this.#said(role, resource, action)];
      if (allowed && seen) own.push(both(seen, allowed));
      else if (allowed) others.push(allowed);
    }
    // Not with each of them: what is seen may be long.
    if (others.length > 0) own.push(both(this.rule(resource, 'read'), anyOrAll(others)));
    const condition = anyOrAll(own);
    this.#conditions.set(key, condition);
    return condition;
  }

  rulesOf(resource: Resource, action: RuledAction): RuleOfRole[] {
    return this.roles.map((role) => {
      const said = [ruleIn(role, resource, 'read'), action === 'read' ? undefined : ruleIn(role, resource, action)];
      const rules = said.filter((rule) => rule !== undefined);
      const texts = rules.map((rule) => `"${rule.action}":${rule.text}`);
      const allowed = this.#said(role, resource, action);
      const seen = this.#said(role, resource, 'read') ?? this.rule(resource, 'read');
      return {
        role: role.name,
        rule: `{"${resource.model}":{${texts}}}`,
        condition: allowed ? both(seen, allowed) : never,
        whyNever: [
          ...(allowed ? [] : [`it does not name ${action}`]),
          ...new Set(
            rules
              .flatMap((rule) => unusableIn(rule, this.person))
              .map((name) => `$${name} is missing, empty or of another type`),
          ),
        ],
      };
    });
  }

  #said(role: Role, resource: Resource, action: RuledAction): Condition | undefined {
    const rule = ruleIn(role, resource, action);
    return rule && conditionOfRule(rule, this.person);
  }
}

const ruleIn = ({ rules }: Role, { model }: Resource, action: RuledAction): RoleRule | undefined =>
  rules.find((rule) => rule.resource.model === model && rule.action === action);

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
