import { constants, fstatSync, openSync, write } from 'node:fs';
import pino, { type LevelWithSilent, type Logger, type LoggerOptions } from 'pino';
import { inTime } from './timing.js';

/** The most buffered characters, about 4 MB; further output is lost. */
const MOST_KEPT = 4 * 1024 * 1024;

/** Bytes per write, the capacity of a pipe. */
const MOST_AT_ONCE = 64 * 1024;

/** Bytes that the system writes to a pipe at once, so that lines of several processes do not get into each other. */
const WHOLE = 4096;

/** Milliseconds before writing to a full pipe again. */
const PAUSE = 20;

/** Milliseconds that `flush` waits for a reader. */
const PATIENCE = 1000;

/**
 * Standard output (1) or standard error (2), written without ever blocking the process: writes are not awaited, a slow
 * reader costs a limited buffer, and what does not fit is lost. `onLoss` is called with the number of lost texts once
 * the buffer is empty.
 */
export class Output {
  readonly #descriptor: number;
  #kept: string[] = [];
  #size = 0;
  #isWriting = false;
  #lost = 0;
  #whenEmpty: (() => void)[] = [];
  onLoss: (texts: number) => void = () => {};

  /** `isShared` says whether other processes write there at the same time. */
  constructor(
    descriptor: 1 | 2,
    private readonly isShared = false,
  ) {
    this.#descriptor = withoutWaiting(descriptor);
  }

  write(text: string): void {
    if (this.#size + text.length > MOST_KEPT) {
      this.#lost++;
      return;
    }
    this.#kept.push(text);
    this.#size += text.length;
    if (this.#isWriting) return;
    // At the end of the turn, together with what follows in it: handing a write to another thread takes as long as a short read.
    this.#isWriting = true;
    setImmediate(() => this.#writeNext());
  }

  /** Resolves when everything is written, or after a second. */
  async flush(): Promise<void> {
    if (!this.#isWriting) return;
    const empty = new Promise<void>((resolve) => void this.#whenEmpty.push(resolve));
    await inTime(empty, PATIENCE, () => undefined);
  }

  #writeNext(): void {
    const texts = this.#kept.splice(0, this.#textsAtOnce());
    this.#isWriting = texts.length > 0;
    if (this.#isWriting) {
      const text = texts.join('');
      this.#size -= text.length;
      this.#writeBytes(Buffer.from(text), texts.length);
    } else {
      for (const resolve of this.#whenEmpty.splice(0)) resolve();
    }
  }

  /** How many are written at once: whole ones, but for a first one that is longer. */
  #textsAtOnce(): number {
    const most = this.isShared ? WHOLE : MOST_AT_ONCE;
    let bytes = 0;
    let texts = 0;
    for (const text of this.#kept) {
      bytes += Buffer.byteLength(text);
      if (texts > 0 && bytes > most) break;
      texts++;
    }
    return texts;
  }

  #writeBytes(bytes: Buffer, texts: number): void {
    write(this.#descriptor, bytes, (error, written) => {
      if (error?.code === 'EAGAIN') {
        setTimeout(() => this.#writeBytes(bytes, texts), PAUSE).unref();
      } else if (!error && written < bytes.length) {
        this.#writeBytes(bytes.subarray(written), texts);
      } else {
        // Nobody reads any more, or the disk is full. The next text is tried all the same.
        if (error) this.#lost += texts;
        else if (this.#kept.length === 0 && this.#lost > 0) {
          this.onLoss(this.#lost);
          this.#lost = 0;
        }
        this.#writeNext();
      }
    });
  }
}

/**
 * Reopens a pipe or terminal in non-blocking mode, where a write fails at once instead of waiting. The inherited
 * descriptor is shared with the parent process, so its own mode cannot be relied on. Files never block.
 */
function withoutWaiting(descriptor: number): number {
  const { O_WRONLY, O_APPEND, O_NONBLOCK, O_NOCTTY } = constants;
  try {
    const is = fstatSync(descriptor);
    if (!is.isFIFO() && !is.isCharacterDevice()) return descriptor;
    return openSync(`/proc/self/fd/${descriptor}`, O_WRONLY | O_APPEND | O_NONBLOCK | O_NOCTTY);
  } catch {
    // A pipe of another user or without a reader, or not Linux: Node itself makes the descriptor non-blocking.
    return descriptor;
  }
}

/**
 * Text of a file, a database or a caller as it can be shown: a terminal would obey its control characters, and those that turn
 * the direction of writing would show it in another order. Line ends and tabs stay.
 */
export const visible = (text: string): string =>
  text.replace(/[^\P{Cc}\n\t]|[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu, escaped);

/** The same in one line. */
export const visibleLine = (text: string): string => visible(text).replace(/[\n\t]/g, escaped);

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** `1 line`, `2 lines` */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** A table for a terminal: a heading, and a line for each row. */
export function tableOf(lines: readonly (readonly string[])[]): string {
  const widths = lines[0]?.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0))) ?? [];
  const shown = (line: readonly string[]) => line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ');
  return lines.map((line) => `${shown(line).trimEnd()}\n`).join('');
}

/**
 * Writes logs to `output`: JSON lines for programs, or one short line per message for people, if `output` is a
 * terminal.
 */
export function createLog(
  level: LevelWithSilent,
  output: Output,
  { forPeople = process.stderr.isTTY, worker }: { forPeople?: boolean; worker?: number | undefined } = {},
): Logger {
  const write = forPeople
    ? (line: string) => output.write(visible(`${lineForPeople(withoutKeys(line))}\n`))
    : (line: string) => output.write(withoutKeys(line));
  // Each line of a worker has its number.
  const log = pino({ ...logOptions(level), base: worker === undefined ? null : { worker } }, { write });
  output.onLoss = (lines) =>
    log.warn({ lines }, 'Lines of the log before this one are lost: their reader was too slow');
  return log;
}

/** What is used of a log by those that write into it. */
export type WrittenLog = Pick<Logger, 'info' | 'warn' | 'error'>;

/** What the work of a request writes into. */
export interface WorkLog {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
  /** Whether the client has disconnected, and the work was stopped for that. */
  readonly isAbandoned?: boolean;
}

/** The log of one request: adds the request id to every line. Created for each request, so it has to be cheap. */
export class RequestLog implements WorkLog {
  isAbandoned = false;

  constructor(
    private readonly log: WrittenLog,
    private readonly requestId: string,
  ) {}

  info(details: object, message: string): void {
    this.log.info({ requestId: this.requestId, ...details }, message);
  }

  warn(details: object, message: string): void {
    this.log.warn({ requestId: this.requestId, ...details }, message);
  }

  error(details: object, message: string): void {
    this.log.error({ requestId: this.requestId, ...details }, message);
  }
}

/** The log of an attempt, which may be undone and repeated: what it is told is held back until `write` is called. */
export function holdLog(log: WorkLog): WorkLog & { write(): void } {
  let lines: (() => void)[] | undefined = [];
  const hold = (level: keyof WrittenLog) => (details: object, message: string) => {
    const line = () => log[level](details, message);
    if (lines) lines.push(line);
    else line();
  };
  return {
    info: hold('info'),
    warn: hold('warn'),
    error: hold('error'),
    get isAbandoned() {
      return log.isAbandoned ?? false;
    },
    write() {
      const held = lines ?? [];
      lines = undefined;
      for (const line of held) line();
    },
  };
}

/** The format of log lines: ISO time, level by name, errors without quoted values. */
export function logOptions(level: LevelWithSilent): LoggerOptions {
  return {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    serializers: { err: loggedError },
  };
}

interface LoggedError {
  type: string;
  message: string;
  code?: string;
  stack?: string;
  cause?: LoggedError;
}

/**
 * Removes what may be a caller's data: Prisma's messages quote the whole call with its values, and drivers attach rows.
 * Stack frames, codes and causes are kept.
 */
export function loggedError(error: unknown): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error) };
  const logged: LoggedError = { type: error.name, message: pointOf(error) };
  if ('code' in error && typeof error.code === 'string') logged.code = error.code;
  const frames = error.stack?.split('\n').filter((line) => /^\s+at /.test(line));
  if (frames?.length) logged.stack = frames.join('\n');
  if (error.cause instanceof Error && error.cause !== error) logged.cause = loggedError(error.cause);
  return logged;
}

function pointOf({ name, message, cause }: Error): string {
  // An adapter error's message is only its kind; the database's own message is in the cause.
  const isAdapters = name === 'DriverAdapterError' && typeof cause === 'object' && cause !== null;
  if (isAdapters && 'originalMessage' in cause) return `${message}: ${cause.originalMessage}`;
  if (!name.startsWith('PrismaClient')) return message;
  return (
    message
      .trim()
      .split(/\n\s*\n/)
      .at(-1) ?? ''
  );
}

/**
 * Formats a log line for people: `12:04:31 info GET /api/stock/serial-no 200 3.1 ms SerialNoList (sql) 4f0c…` for a
 * request, the message and details for any other.
 */
export function lineForPeople(json: string): string {
  const { level, time, msg, method, path, status, ms, requestId, keyId, operation, kind, way, errors, err, ...rest } =
    JSON.parse(json);
  const start = `${new Date(time).toLocaleTimeString('en-GB')} ${String(level).padEnd(5)}`;
  const others = Object.keys(rest).length > 0 ? ` ${JSON.stringify(rest)}` : '';
  const asked = [operation ?? kind, way && `(${way})`, ...(errors ?? [])].filter(Boolean).join(' ');
  if (msg === 'request') {
    return `${start} ${method ?? '-'} ${path} ${status} ${ms} ms  ${asked && `${asked}  `}${requestId}${others}`;
  }
  const said = [msg, asked, ms !== undefined && `${ms} ms`].filter(Boolean).join(' ');
  return `${start} ${said}${others}${err ? `\n  ${err.type}: ${err.message}\n${err.stack ?? ''}` : ''}`;
}

/**
 * Leaves out the secret part of API keys, which is 52 letters and digits behind a `_`: somebody may send a key as a part of a path, as
 * an id of a request or as a name in a document. Where a key is there only once its characters are decoded, all of them are written
 * decoded.
 */
export function withoutKeys(text: string): string {
  const plain = masked(text);
  if (!plain.includes('%')) return plain;
  const decoded = decodedWords(plain);
  const decodedAndMasked = masked(decoded);
  return decodedAndMasked === decoded ? plain : decodedAndMasked;
}

const masked = (text: string): string => text.replace(/_[0-9a-z]{52}/gi, '_…');

/**
 * Decodes what is encoded by percent signs, also several times over, of letters, digits, `_` and `%` alone, so that
 * JSON stays what it is. In one pass, because a client chooses how often it is encoded.
 */
export function decodedWords(text: string): string {
  const decoded: string[] = [];
  for (const character of text) {
    decoded.push(character);
    for (let word = lastOf(decoded); word !== undefined; word = lastOf(decoded)) decoded.splice(-3, 3, word);
  }
  return decoded.join('');
}

/** The character that the last three encode, if it is one of a word, or `%`. */
function lastOf(decoded: readonly string[]): string | undefined {
  if (decoded.at(-3) !== '%') return undefined;
  const code = `${decoded.at(-2)}${decoded.at(-1)}`;
  const character = /^[0-9a-f]{2}$/i.test(code) ? String.fromCharCode(Number.parseInt(code, 16)) : '';
  return /^[\w%]$/.test(character) ? character : undefined;
}
