/** The measured operations, and the workloads built from them. */

export type Operation =
  | 'retrieve'
  | 'page'
  | 'farPage'
  | 'middlePage'
  | 'quotations'
  | 'withLines'
  | 'pageWithLines'
  | 'cursorPage'
  | 'create'
  | 'createWithLines'
  | 'update'
  | 'delete'
  | 'deleteWithLines'
  | 'updateLine'
  | 'reorder'
  | 'save'
  | 'createMany'
  /** No workload has it: it shows what a change stored. */
  | 'stored';

export interface Workload {
  name: WorkloadName;
  title: string;
  /** The operations, with how many of a hundred requests each has. */
  mix: readonly (readonly [Operation, number])[];
  /** Whether it creates or changes records, which must be deleted before the next measurement. */
  writes: boolean;
  /** Records that are made before each measurement for its requests alone. */
  supply?: Supply;
  /** Whether no request can be sent again, because each deletes its record; the load ends when all were sent. */
  isSentOnce?: true;
}

/** Asset repairs, each with so many lines. */
export interface Supply {
  repairs: number;
  consumedItems: number;
  purchaseInvoices: number;
}

export type WorkloadName = (typeof workloadNames)[number];
export const workloadNames = [
  'W1',
  'W2',
  'W2b',
  'W2c',
  'W2d',
  'W3',
  'W4',
  'W4b',
  'W5',
  'W6',
  'W7',
  'W8',
  'W8b',
  'W9',
  'W10',
  'W11',
  'W12',
] as const;

/** Documents whose lines are changed. */
const documents: Supply = { repairs: 500, consumedItems: 20, purchaseInvoices: 0 };

const all: Record<WorkloadName, Omit<Workload, 'name'>> = {
  W1: { title: 'REST: one asset repair', mix: [['retrieve', 100]], writes: false },
  W2: { title: 'REST: the 20 newest, with total', mix: [['page', 100]], writes: false },
  W2b: { title: 'REST: 20 at offset 9,000 of 10,000', mix: [['farPage', 100]], writes: false },
  W2c: { title: 'GraphQL: 20 behind a cursor', mix: [['cursorPage', 100]], writes: false },
  W2d: { title: 'REST: 20 in the middle', mix: [['middlePage', 100]], writes: false },
  W3: { title: 'REST: 20 quotations of 75 fields', mix: [['quotations', 100]], writes: false },
  W4: { title: 'GraphQL: one with both child lists', mix: [['withLines', 100]], writes: false },
  W4b: { title: 'GraphQL: 20 with both child lists', mix: [['pageWithLines', 100]], writes: false },
  W5: { title: 'REST: create one', mix: [['create', 100]], writes: true },
  W6: { title: 'GraphQL: create one with 7 lines', mix: [['createWithLines', 100]], writes: true },
  W7: {
    title: '80 % reads, 20 % writes',
    mix: [
      ['retrieve', 40],
      ['page', 20],
      ['withLines', 20],
      ['create', 10],
      ['update', 10],
    ],
    writes: true,
  },
  W8: {
    title: 'REST: delete one',
    mix: [['delete', 100]],
    writes: true,
    supply: { repairs: 24_000, consumedItems: 0, purchaseInvoices: 0 },
    isSentOnce: true,
  },
  W8b: {
    title: 'GraphQL: delete one with 7 lines',
    mix: [['deleteWithLines', 100]],
    writes: true,
    supply: { repairs: 12_000, consumedItems: 5, purchaseInvoices: 2 },
    isSentOnce: true,
  },
  W9: { title: 'GraphQL: update one line of 20', mix: [['updateLine', 100]], writes: true, supply: documents },
  W10: { title: 'GraphQL: reorder 20 lines', mix: [['reorder', 100]], writes: true, supply: documents },
  W11: { title: 'GraphQL: save one with 20 lines', mix: [['save', 100]], writes: true, supply: documents },
  W12: { title: 'GraphQL: create 100', mix: [['createMany', 100]], writes: true },
};

export const workloads: readonly Workload[] = workloadNames.map(workloadOf);

/** The workloads of all systems. Cursors differ between them, and how pages grow is measured for the gateway alone. */
export const comparedWorkloads = workloads.filter(({ name }) => name !== 'W2c' && name !== 'W2d');

export function workloadOf(name: WorkloadName): Workload {
  return { name, ...all[name] };
}
