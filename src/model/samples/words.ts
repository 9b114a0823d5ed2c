/** The words of which seeded records are made: a small world of a few companies, their partners, people and goods. */

export const companies = [
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

export const partners: readonly string[] = partnerNames.flatMap((name) =>
  partnerKinds.map((kind) => `${name} ${kind}`),
);

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

export const people: readonly string[] = firstNames.flatMap((first) => lastNames.map((last) => `${first} ${last}`));

/** Goods with their code, group, unit and usual price. */
export const goods = [
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

export const machines = ['Lathe', 'Milling machine', 'Forklift', 'Compressor', 'Laser cutter', 'Delivery van'] as const;
export const projects = [
  'Plant relocation',
  'Line 4 retrofit',
  'Spring campaign',
  'Warehouse roof',
  'ISO audit',
] as const;
export const tasks = ['Planning', 'Wiring', 'Assembly', 'Testing', 'Documentation', 'Travel'] as const;
export const operations = ['Cutting', 'Bending', 'Welding', 'Painting', 'Assembly', 'Inspection'] as const;
export const territories = ['Germany', 'France', 'Sweden', 'Spain', 'Japan', 'United States'] as const;
export const cities = ['Hamburg', 'Lyon', 'Göteborg', 'Sevilla', 'Ōsaka', 'Portland'] as const;
export const departments = ['Maintenance', 'Production', 'Sales', 'Accounting', 'Research'] as const;
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
