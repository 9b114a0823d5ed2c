/** What the fields of one sample have in common, so that they fit each other, and the chance that draws it. */

export type Chance = ReturnType<typeof chanceOf>;

/** Chance that can be repeated: the same seed, the same choices. */
export function chanceOf(seed: number) {
  let state = seed >>> 0;
  const random = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  return {
    /** True with this probability. */
    chance: (probability: number): boolean => random() < probability,
    pick: <Item>(items: readonly Item[]): Item => {
      const item = items[Math.floor(random() * items.length)];
      if (item === undefined) throw new Error('There is nothing to pick from');
      return item;
    },
    /** A whole number from 0 up to `most`. */
    upTo: (most: number): number => Math.floor(random() * (most + 1)),
  };
}

export type Story = ReturnType<typeof storyOf>;

/** Of what began at an instant, in milliseconds since 1970. `number` is one that hardly another document has. */
export function storyOf(chance: Chance, begun: number, number: number) {
  const { pick, upTo } = chance;
  const company = pick(companies);
  const partnersCompany = chance.chance(0.7) ? company : pick(companies);
  const [territory, city] = pick(places);
  return {
    company,
    /** The currency of the partner, and what one of it is worth in that of the company. */
    currency: partnersCompany.currency,
    rate: rounded(partnersCompany.rate / company.rate, 4),
    partner: pick(partners),
    contact: pick(people),
    employee: pick(people),
    department: pick(departments),
    territory,
    city,
    project: pick(projects),
    machine: pick(machines),
    ...goodsOf(chance),
    begun,
    /** How many days it took. */
    days: 1 + upTo(20),
    number,
  };
}

/** Another item and how much of it, for a line. */
export function goodsOf({ pick, upTo }: Chance) {
  const item = pick(goods);
  return { item, quantity: 1 + upTo(item.price > 1000 ? 4 : item.price > 100 ? 20 : 200) };
}

/** All names of both parts. */
const namesOf = (firsts: readonly string[], lasts: readonly string[]): string[] =>
  firsts.flatMap((first) => lasts.map((last) => `${first} ${last}`));

/** Half up, as amounts are rounded by hand. */
export const rounded = (value: number, decimals = 2): number =>
  Math.round((value + Number.EPSILON) * 10 ** decimals) / 10 ** decimals;

// The words of which seeded records are made: a small world of a few companies, their partners, people and goods.

const companies = [
  { name: 'Northwind Tools', short: 'NT', currency: 'EUR', rate: 1 },
  { name: 'Harbour Machinery', short: 'HM', currency: 'USD', rate: 0.92 },
  { name: 'Lakeside Components', short: 'LC', currency: 'CHF', rate: 1.05 },
];

const partners = namesOf(
  ['Adler', 'Bergström', 'Castillo', 'Dupont', 'Eriksen', 'Fontaine', 'García', 'Hoffmann', 'Ito', 'Jansen'],
  ['Industries', 'Trading', '& Sons', 'Engineering', 'Logistics', 'Foods', 'Motors', 'Textiles', 'Optics', 'Paper'],
);

const people = namesOf(
  ['Amara', 'Björn', 'Chloé', 'Daniel', 'Elif', 'Farid', 'Greta', 'Hana', 'Igor', 'Júlia', 'Kofi', 'Lucía'],
  ['Keller', 'Okafor', 'Lindqvist', 'Moreau', 'Novak', 'Ortega', 'Petrov', 'Quinn', 'Rossi', 'Sato'],
);

/** Goods: code, name, group, unit and usual price. */
const goods = (
  [
    ['BELT-12', 'Drive belt 12 mm', 'Spare Parts', 'Nos', 38.5],
    ['BRG-6204', 'Ball bearing 6204', 'Spare Parts', 'Nos', 12.4],
    ['OIL-46', 'Hydraulic oil ISO 46', 'Consumables', 'Litre', 6.9],
    ['FLT-20', 'Filter cartridge 20 µm', 'Consumables', 'Nos', 21.75],
    ['MOT-4KW', 'Electric motor 4 kW', 'Assemblies', 'Nos', 412],
    ['PMP-100', 'Gear pump 100 l/min', 'Assemblies', 'Nos', 689.9],
    ['STL-S235', 'Steel sheet S235 3 mm', 'Raw Material', 'Kg', 1.85],
    ['ALU-6082', 'Aluminium bar 6082', 'Raw Material', 'Kg', 5.4],
    ['CAB-5G', 'Cable 5 × 2.5 mm²', 'Raw Material', 'Metre', 2.3],
    ['CTL-7', 'Control cabinet 7', 'Finished Goods', 'Nos', 2480],
    ['CNV-3M', 'Conveyor 3 m', 'Finished Goods', 'Nos', 5350],
    ['PRS-60', 'Hydraulic press 60 t', 'Finished Goods', 'Nos', 18900],
  ] as const
).map(([code, name, group, unit, price]) => ({ code, name, group, unit, price }));

const machines = ['Lathe', 'Milling machine', 'Forklift', 'Compressor', 'Laser cutter', 'Delivery van'];
const projects = ['Plant relocation', 'Line 4 retrofit', 'Spring campaign', 'Warehouse roof', 'ISO audit'];
export const tasks = ['Planning', 'Wiring', 'Assembly', 'Testing', 'Documentation', 'Travel'];
export const operations = ['Cutting', 'Bending', 'Welding', 'Painting', 'Assembly', 'Inspection'];
const places = [
  ['Germany', 'Hamburg'],
  ['France', 'Lyon'],
  ['Sweden', 'Göteborg'],
  ['Spain', 'Sevilla'],
  ['Japan', 'Ōsaka'],
  ['United States', 'Portland'],
] as const;
const departments = ['Maintenance', 'Production', 'Sales', 'Accounting', 'Research'];
export const industries = ['Automotive', 'Food processing', 'Textiles', 'Chemicals', 'Logistics', 'Optics', 'Printing'];
export const unitCategories = ['Length', 'Mass', 'Volume', 'Time', 'Area', 'Power', 'Pieces'];
export const remarks = [
  'Checked on site together with the customer.',
  'Noise at high speed; the worn part was replaced.',
  'Delivery in two lots, the second one within three weeks.',
  'Prices are valid for full pallets only.',
  'To be finished before the audit.',
  'Agreed by phone; the written order follows.',
];
