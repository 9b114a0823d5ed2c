/** What the fields of one sample have in common, so that they fit each other, and the chance that draws it. */

/** Chance that can be repeated: the same seed, the same choices. */
export interface Chance {
  /** True with this probability. */
  chance(probability: number): boolean;
  pick<Item>(items: readonly Item[]): Item;
  /** A whole number from 0 up to `most`. */
  upTo(most: number): number;
}

export function chanceOf(seed: number): Chance {
  let state = seed >>> 0;
  const random = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  return {
    chance: (probability) => random() < probability,
    pick: (items) => {
      const item = items[Math.floor(random() * items.length)];
      if (item === undefined) throw new Error('There is nothing to pick from');
      return item;
    },
    upTo: (most) => Math.floor(random() * (most + 1)),
  };
}

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

// The words of which seeded records are made: a small world of a few companies, their partners, people and goods.

const companies = [
  { name: 'Northwind Tools', short: 'NT', currency: 'EUR', rate: 1 },
  { name: 'Harbour Machinery', short: 'HM', currency: 'USD', rate: 0.92 },
  { name: 'Lakeside Components', short: 'LC', currency: 'CHF', rate: 1.05 },
] as const;

const partnerNames = [
  'Adler',
  'Bergström',
  'Castillo',
  'Dupont',
  'Eriksen',
  'Fontaine',
  'García',
  'Hoffmann',
  'Ito',
  'Jansen',
];
const partnerKinds = [
  'Industries',
  'Trading',
  '& Sons',
  'Engineering',
  'Logistics',
  'Foods',
  'Motors',
  'Textiles',
  'Optics',
  'Paper',
];

const partners: readonly string[] = partnerNames.flatMap((name) => partnerKinds.map((kind) => `${name} ${kind}`));

const firstNames = [
  'Amara',
  'Björn',
  'Chloé',
  'Daniel',
  'Elif',
  'Farid',
  'Greta',
  'Hana',
  'Igor',
  'Júlia',
  'Kofi',
  'Lucía',
];
const lastNames = ['Keller', 'Okafor', 'Lindqvist', 'Moreau', 'Novak', 'Ortega', 'Petrov', 'Quinn', 'Rossi', 'Sato'];

const people: readonly string[] = firstNames.flatMap((first) => lastNames.map((last) => `${first} ${last}`));

/** Goods with their code, group, unit and usual price. */
const goods = [
  { code: 'BELT-12', name: 'Drive belt 12 mm', group: 'Spare Parts', unit: 'Nos', price: 38.5 },
  { code: 'BRG-6204', name: 'Ball bearing 6204', group: 'Spare Parts', unit: 'Nos', price: 12.4 },
  { code: 'OIL-46', name: 'Hydraulic oil ISO 46', group: 'Consumables', unit: 'Litre', price: 6.9 },
  { code: 'FLT-20', name: 'Filter cartridge 20 µm', group: 'Consumables', unit: 'Nos', price: 21.75 },
  { code: 'MOT-4KW', name: 'Electric motor 4 kW', group: 'Assemblies', unit: 'Nos', price: 412 },
  { code: 'PMP-100', name: 'Gear pump 100 l/min', group: 'Assemblies', unit: 'Nos', price: 689.9 },
  { code: 'STL-S235', name: 'Steel sheet S235 3 mm', group: 'Raw Material', unit: 'Kg', price: 1.85 },
  { code: 'ALU-6082', name: 'Aluminium bar 6082', group: 'Raw Material', unit: 'Kg', price: 5.4 },
  { code: 'CAB-5G', name: 'Cable 5 × 2.5 mm²', group: 'Raw Material', unit: 'Metre', price: 2.3 },
  { code: 'CTL-7', name: 'Control cabinet 7', group: 'Finished Goods', unit: 'Nos', price: 2480 },
  { code: 'CNV-3M', name: 'Conveyor 3 m', group: 'Finished Goods', unit: 'Nos', price: 5350 },
  { code: 'PRS-60', name: 'Hydraulic press 60 t', group: 'Finished Goods', unit: 'Nos', price: 18900 },
] as const;

const machines = ['Lathe', 'Milling machine', 'Forklift', 'Compressor', 'Laser cutter', 'Delivery van'] as const;
const projects = ['Plant relocation', 'Line 4 retrofit', 'Spring campaign', 'Warehouse roof', 'ISO audit'] as const;
export const tasks = ['Planning', 'Wiring', 'Assembly', 'Testing', 'Documentation', 'Travel'] as const;
export const operations = ['Cutting', 'Bending', 'Welding', 'Painting', 'Assembly', 'Inspection'] as const;
const territories = ['Germany', 'France', 'Sweden', 'Spain', 'Japan', 'United States'] as const;
const cities = ['Hamburg', 'Lyon', 'Göteborg', 'Sevilla', 'Ōsaka', 'Portland'] as const;
const departments = ['Maintenance', 'Production', 'Sales', 'Accounting', 'Research'] as const;
export const industries = [
  'Automotive',
  'Food processing',
  'Textiles',
  'Chemicals',
  'Logistics',
  'Optics',
  'Printing',
] as const;
export const unitCategories = ['Length', 'Mass', 'Volume', 'Time', 'Area', 'Power', 'Pieces'] as const;
export const remarks = [
  'Checked on site together with the customer.',
  'Noise at high speed; the worn part was replaced.',
  'Delivery in two lots, the second one within three weeks.',
  'Prices are valid for full pallets only.',
  'To be finished before the audit.',
  'Agreed by phone; the written order follows.',
] as const;
