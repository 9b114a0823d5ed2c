/** What goes wrong between the pages and the gateway, and what can be done about it. */

/** The gateway did not answer, or its answer was cut off. */
export class Unreachable extends Error {
  constructor(cause: unknown, more = '') {
    super(`The gateway cannot be reached. Is it still running? ${more}`.trim(), { cause });
  }
}

export interface Problem {
  message: string;
  path?: (string | number)[];
  extensions?: {
    code?: string;
    currentVersion?: number;
    /** What is wrong with the input, each with its place. */
    errors?: { param: string; code: string; message: string }[];
  };
}

/** The gateway answered without data; the message is the gateway's own. */
export class Refusal extends Error {
  constructor(readonly problems: Problem[]) {
    super(problems.map(({ message }) => message).join(' '));
  }
}

/** The code of a refusal; undefined for other errors. */
export const codeOf = (error: unknown): string | undefined =>
  error instanceof Refusal ? error.problems[0]?.extensions?.code : undefined;

/** Codes of what stays as it is, however often it is asked for. */
const lasting: readonly (string | undefined)[] = [
  'FORBIDDEN',
  'BAD_USER_INPUT',
  'GRAPHQL_VALIDATION_FAILED',
  'NOT_FOUND',
  'HISTORY_INCOMPLETE',
];

/** Whether the same may work later: not what the key may not do. */
export const mayPass = (error: unknown): boolean => !lasting.includes(codeOf(error));

export function wordsFor(error: unknown): string {
  return error instanceof Error ? error.message : 'Something went wrong.';
}
