/** What the fields of one document have in common, so that they fit each other. */
import type { Chance } from './chance.js';
import { cities, companies, departments, goods, machines, partners, people, projects, territories } from './words.js';

export interface Story {
  company: (typeof companies)[number];
  /** The currency of the partner, and what one of it is worth in that of the company. */
  currency: string;
  rate: number;
  partner: string;
  contact: string;
  employee: string;
  department: string;
  territory: string;
  city: string;
  project: string;
  machine: string;
  item: (typeof goods)[number];
  quantity: number;
  /** When it began, in milliseconds since 1970, and how many days it took. */
  begun: number;
  days: number;
  /** A number that hardly another document has. */
  number: number;
}

export function storyOf(chance: Chance, begun: number, number: number): Story {
  const { pick, upTo } = chance;
  const company = pick(companies);
  const partnersCompany = chance.chance(0.7) ? company : pick(companies);
  const place = upTo(territories.length - 1);
  return {
    company,
    currency: partnersCompany.currency,
    rate: rounded(partnersCompany.rate / company.rate, 4),
    partner: pick(partners),
    contact: pick(people),
    employee: pick(people),
    department: pick(departments),
    territory: territories[place] ?? territories[0],
    city: cities[place] ?? cities[0],
    project: pick(projects),
    machine: pick(machines),
    ...goodsOf(chance),
    begun,
    days: 1 + upTo(20),
    number,
  };
}

/** Another item and how much of it, for a line. */
export function goodsOf({ pick, upTo }: Chance): Pick<Story, 'item' | 'quantity'> {
  const item = pick(goods);
  return { item, quantity: 1 + upTo(item.price > 1000 ? 4 : item.price > 100 ? 20 : 200) };
}

/** Half up, as amounts are rounded by hand. */
export const rounded = (value: number, decimals = 2): number =>
  Math.round((value + Number.EPSILON) * 10 ** decimals) / 10 ** decimals;
