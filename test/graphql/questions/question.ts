/** Queries as a caller would send them: the values of GraphQL variables. */

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
  /** The id of the parent, for a list of lines. */
  parentId?: string;
  where: Filter;
  orderBy: Order[];
  first: number;
  offset: number;
  /** Whether to query the next page too, by the end cursor of the first one. */
  goOn: boolean;
  nested: NestedQuestion[];
  /** The connections within each record: of lines, by the name of their list, and of records that name it. */
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
  /** The name of the list in the record. */
  field: string;
}

export type Question = ListQuestion | AggregateQuestion;

/** `repairCost` → `REPAIR_COST` */
export const orderName = (field: string): string => field.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
