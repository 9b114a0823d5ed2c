/** What a long command tells: on standard error how far it has come, and at the end why it failed. */
import { ExplainedError } from '../../common/config-error.js';
import { type DatabaseProblem, databaseProblem } from '../../database/database-problem.js';

/** Where and whether progress is shown. */
export interface ShownProgress {
  /** Whether a line can be written anew; otherwise there is a line every few seconds. */
  isTerminal: boolean;
  isQuiet: boolean;
  printError(text: string): void;
}

interface ProgressOptions extends ShownProgress {
  /** What is done: `exported`. */
  verb: string;
  /** How many documents there are; undefined if that is unknown. */
  total?: number | undefined;
  /** Whether the total is only about right. */
  isGuess?: boolean;
}

/** Milliseconds between two reports. */
const pauses = { terminal: 200, lines: 5000 };

export class Progress {
  readonly #began = performance.now();
  #told = this.#began;
  #isOpen = false;

  constructor(private readonly options: ProgressOptions) {}

  /**
   * Of so many documents those `before` were done by an earlier run, and say nothing about the speed. `total` is how many
   * there are, if that is known only now.
   */
  report(documents: number, before = 0, total = this.options.total): void {
    const { isQuiet, isTerminal, printError } = this.options;
    const now = performance.now();
    if (isQuiet || now - this.#told < (isTerminal ? pauses.terminal : pauses.lines)) return;
    this.#told = now;
    const text = this.#text(documents, total, ((documents - before) / (now - this.#began)) * 1000);
    this.#isOpen = isTerminal;
    printError(isTerminal ? `\r${text}\u001b[K` : `${text}\n`);
  }

  /** Ends the line that was written anew. */
  end(): void {
    if (this.#isOpen) this.options.printError('\n');
    this.#isOpen = false;
  }

  #text(documents: number, total: number | undefined, rate: number): string {
    const { verb, isGuess } = this.options;
    const speed = `${shown(Math.round(rate))}/s`;
    if (total === undefined || total < documents) return `${verb} ${shown(documents)}, ${speed}`;
    const left = rate > 0 ? `, ${spokenDuration((total - documents) / rate)} left` : '';
    const share = total === 0 ? 100 : Math.floor((100 * documents) / total);
    return `${verb} ${shown(documents)} of ${isGuess ? 'about ' : ''}${shown(total)} (${share} %), ${speed}${left}`;
  }
}

/** `1,234,567` */
export const shown = (count: number): string => count.toLocaleString('en-US');

/** `45 s`, `3 min`, `2 h 5 min` */
export function spokenDuration(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 90 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Records cannot be exported or imported. The message says why, and what to do. */
export class TransferError extends ExplainedError {}

/** The error to print: what is wrong with the database, and `then` what has become of the work. */
export function failureToPrint(error: unknown, then: string): unknown {
  if (error instanceof ExplainedError) return error;
  const problem = databaseProblem(error);
  return problem ? new TransferError(`${messages[problem]} ${then}`, { cause: error }) : error;
}

const messages: Record<DatabaseProblem, string> = {
  busy: 'The database is busy: another process holds it.',
  database_unavailable: 'The database cannot be reached.',
  storage_full: 'The disk of the database is full.',
  read_only: 'The database is read-only.',
  damaged: 'The database is damaged, or is not a database; `records check` says where.',
  gone: 'The file of the database was removed, moved or replaced.',
  overwritten: 'The file of the database was truncated or overwritten by another program.',
  number_taken: 'A sequence of the database is behind; start a gateway, which raises it.',
  timeout: 'The database took too long.',
  conflict: 'Other processes keep changing the same records.',
};
