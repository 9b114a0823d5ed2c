/** A request as a line of curl says it, without its key. */
export interface Call {
  method: string;
  /** Where it goes to, with the path below which a proxy has the gateway; empty where the line names no host. */
  origin: string;
  /** With the query. */
  path: string;
  /** By their names in lower case; without the key. */
  headers: Readonly<Record<string, string>>;
  body: string | undefined;
}

/** What stands for the key of a line wherever it is shown. */
export const keyPlace = '$API_KEY';
