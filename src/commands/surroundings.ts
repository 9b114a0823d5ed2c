/** What a command is given of the world around it; a test gives it another. */
export interface Surroundings {
  environment: Readonly<Record<string, string | undefined>>;
  /** The current folder, which may hold a file `.env`. */
  folder: string;
  /** The whole standard input. */
  input(): string;
  /** Receives the standard output. */
  print(text: string): void;
  /** Receives what is written to standard error. */
  complain(text: string): void;
}
