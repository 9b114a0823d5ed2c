/** Questions to the gateway as a caller would put them: what GraphQL's variables hold. */

/** `{ and, or, not, <field>: { eq, … }, <lines>: { some, every, none }, <parent>: { … } }` */
export type Filter = Readonly<Record<string, unknown>>;

export interface Order {
  /** As the schema names it, `REPAIR_COST`. */
  field: string;
  direction: 'ASC' | 'DESC';
  nulls: 'FIRST' | 'LAST';
}

export interface ListQuestion {
  kind: 'list';
  model: string;
  /** Of a list of lines: the id of their parent. */
  parentId?: string;
  where: Filter;
  orderBy: Order[];
  first: number;
  offset: number;
  /** Ask for the next page too, by the cursor the first one ends at. */
  goOn: boolean;
  nested: NestedQuestion[];
  /** The connections within each record: of lines, by the name of their list, and of what names it. */
  connections: NestedQuestion[];
  /** The linked records of each record, by the names of their fields. */
  links: string[];
}

/** Lines within each record of a list. */
export interface NestedQuestion {
  field: string;
  where: Filter;
  orderBy: Order[];
  limit: number;
  offset: number;
}

export interface AggregateQuestion {
  kind: 'aggregate';
  model: string;
  where: Filter;
  groupBy: (Order & { by?: DatePart })[];
  measures: Measure[];
  having: Filter;
  orderBy: (Order & { measure?: string })[];
  first: number;
  offset: number;
}

export type DatePart = 'YEAR' | 'MONTH' | 'DAY';

export interface Measure {
  of: 'sum' | 'avg' | 'min' | 'max';
  /** As the record names it. */
  field: string;
}

export type Question = ListQuestion | AggregateQuestion;

/** `repairCost` → `REPAIR_COST` */
export const orderName = (field: string): string => field.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
