/** An answer, of the gateway or of plain SQL. */
export type Answer = ListAnswer | GroupsAnswer;

export interface ListAnswer {
  total: number;
  records: { id: string; lines: string[][] }[];
  hasMore: boolean;
}

export interface GroupsAnswer {
  /** Keys and measures of each group, in the order of the question. */
  groups: { count: number; values: (string | number | boolean | null)[] }[];
  hasMore: boolean;
}
