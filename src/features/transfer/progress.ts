/** Shows on standard error how far a long command has come, how fast it is, and how long it will take. */

export interface ProgressOptions {
  /** What is done: `exported`. */
  verb: string;
  /** How many documents there are; undefined if that is unknown. */
  total?: number | undefined;
  /** Whether the total is only about right. */
  isGuess?: boolean;
  /** Whether a line can be written anew; otherwise there is a line every few seconds. */
  isTerminal: boolean;
  isQuiet: boolean;
  printError(text: string): void;
  now?: () => number;
}

interface Reported {
  documents: number;
  before: number;
  total: number | undefined;
}

/** Milliseconds between two reports. */
const pauses = { terminal: 200, lines: 5000 };

export class Progress {
  readonly #options: ProgressOptions;
  readonly #began: number;
  #told: number;
  #isOpen = false;

  constructor(options: ProgressOptions) {
    this.#options = options;
    this.#began = this.#now();
    this.#told = this.#began;
  }

  /**
   * Of so many documents those `before` were done by an earlier run, and say nothing about the speed. `total` is how many
   * there are, if that is known only now.
   */
  report(documents: number, before = 0, total = this.#options.total): void {
    const { isQuiet, isTerminal, printError } = this.#options;
    const now = this.#now();
    if (isQuiet || now - this.#told < (isTerminal ? pauses.terminal : pauses.lines)) return;
    this.#told = now;
    const text = this.#text({ documents, before, total }, (now - this.#began) / 1000);
    this.#isOpen = isTerminal;
    printError(isTerminal ? `\r${text}\u001b[K` : `${text}\n`);
  }

  /** Ends the line that was written anew. */
  end(): void {
    if (this.#isOpen) this.#options.printError('\n');
    this.#isOpen = false;
  }

  #text({ documents, before, total }: Reported, seconds: number): string {
    const { verb, isGuess } = this.#options;
    const rate = (documents - before) / seconds;
    const speed = `${shown(Math.round(rate))}/s`;
    if (total === undefined || total < documents) return `${verb} ${shown(documents)}, ${speed}`;
    const left = rate > 0 ? `, ${spokenDuration((total - documents) / rate)} left` : '';
    const share = total === 0 ? 100 : Math.floor((100 * documents) / total);
    return `${verb} ${shown(documents)} of ${isGuess ? 'about ' : ''}${shown(total)} (${share} %), ${speed}${left}`;
  }

  #now(): number {
    return (this.#options.now ?? Date.now)();
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
