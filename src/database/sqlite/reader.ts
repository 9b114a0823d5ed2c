import { type ChildProcess, fork, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { setPriority } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { SqlQuery, SqlResultSet } from '@prisma/driver-adapter-utils';
import { isObject } from '../../common/is-object.js';
import { projectFolder } from '../../common/project.js';
import { bytesOfRow } from '../answer-limit.js';
import { readerDied } from './sqlite-errors.js';
import type { SqliteValue } from './sqlite-values.js';

/**
 * A reader process, as seen from the gateway. It runs one statement at a time and can be killed in the middle of it.
 */
export class SqliteReader {
  readonly #process: ChildProcess;
  readonly pausable: PausableProcess;
  readonly #ended: Promise<unknown>;
  #settle: { resolve(answer: ReaderAnswer): void; reject(error: Error): void } | undefined;
  hasEnded = false;
  /** The rows received so far of the outcome that follows. */
  readonly #rows: unknown[][] = [];

  /** `program` and `path` are the files of the program and the database; `answerLimit` is in bytes. */
  constructor(program: string, path: string, answerLimit?: number) {
    this.#process = start(program, answerLimit === undefined ? [path] : [path, String(answerLimit)]);
    this.pausable = new PausableProcess(this.#process);
    this.#process.on('message', (message) => {
      if (!isAnswer(message)) return;
      if ('rows' in message) for (const row of message.rows) this.#rows.push(row);
      if (message.isPart) return;
      const rows = this.#rows.splice(0);
      this.#end()?.resolve('rows' in message ? { ...message, rows } : message);
    });
    this.#ended = new Promise<void>((resolve) => {
      const end = (reason: string) => {
        this.hasEnded = true;
        this.#end()?.reject(readerDied(reason));
        resolve();
      };
      this.#process.once('exit', (code, signal) => end(`with ${signal ?? `code ${code}`}`));
      this.#process.on('error', (error) => {
        if (this.#process.pid === undefined || this.#process.exitCode !== null) end(`at once: ${error.message}`);
      });
    });
    this.#hold(false);
    lowerPriority(this.#process);
  }

  /** The process id; undefined if the process could not be started. */
  get pid(): number | undefined {
    return this.#process.pid;
  }

  /** Runs a read. Rejects if the process ends before it has answered. */
  ask(read: ReaderRead): Promise<ReaderAnswer> {
    return new Promise<ReaderAnswer>((resolve, reject) => {
      if (this.hasEnded) return reject(readerDied('before it was asked'));
      this.#settle = { resolve, reject };
      this.#hold(true);
      this.#process.send(read, (error) => {
        if (error) this.#end()?.reject(readerDied(error.message));
      });
    });
  }

  /** Kills the process, whatever it is doing; resolves once it has ended. */
  async kill(): Promise<void> {
    this.#process.kill('SIGKILL');
    await this.#ended;
  }

  #end() {
    const settle = this.#settle;
    this.#settle = undefined;
    this.#hold(false);
    return settle;
  }

  /** Whether the gateway's process stays alive for this one: only while it answers a read. */
  #hold(isHeld: boolean): void {
    const call = isHeld ? 'ref' : 'unref';
    this.#process[call]();
    this.#process.channel?.[call]();
  }
}

function start(program: string, parameters: string[]): ChildProcess {
  const child = fork(program, parameters, {
    // The gateway's environment may contain a key.
    env: {},
    cwd: projectFolder,
    execArgv: ['--expose-gc', ...(program.endsWith('.ts') ? ['--import', 'tsx'] : [])],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc', 'pipe'],
  });
  // The process ends when this pipe is closed; see the program.
  const pipe = child.stdio[4];
  pipe?.on('error', () => {});
  if (pipe && 'unref' in pipe && typeof pipe.unref === 'function') pipe.unref();
  return child;
}

/** A lower priority than the gateway's, so that other requests go first when processors are busy. */
const niceness = 7;

function lowerPriority({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) setPriority(pid, niceness);
  } catch {
    // The process has already ended.
  }
}

/** The path of the program: built next to the running code, or the source when running from sources. */
export function readerProgram(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  for (; ; folder = dirname(folder)) {
    for (const ending of ['.js', '.ts']) {
      const path = join(folder, `src/database/sqlite/reader-process${ending}`);
      if (existsSync(path)) return path;
    }
    if (folder === dirname(folder))
      throw new Error('The program of the reader processes is missing; build the gateway');
  }
}

/**
 * A child process that can be paused in the middle of a statement. The system lets it go on when this process ends in
 * whatever way, so that a paused process never stays behind with its locks.
 */
export class PausableProcess {
  /** Waits for the end of this process, and then lets the child go on. Started with the first pause. */
  #keeper: ChildProcess | undefined;
  #isKept = false;
  #isPaused = false;

  constructor(private readonly process: ChildProcess) {
    process.once('exit', () => this.#keeper?.kill('SIGKILL'));
  }

  /** Does nothing where the system has no shell to let the child go on, or has not started it yet. */
  pause(): void {
    this.#keeper ??= this.#keep();
    if (this.#isKept && !this.#isPaused) this.#isPaused = this.process.kill('SIGSTOP');
  }

  resume(): void {
    if (this.#isPaused) this.process.kill('SIGCONT');
    this.#isPaused = false;
  }

  #keep(): ChildProcess {
    // `read` ends when the system closes the pipe, which it does when this process ends.
    const keeper = spawn(
      '/bin/sh',
      ['-c', 'trap "" INT TERM HUP; read -r end; kill -CONT "$0"', `${this.process.pid}`],
      {
        env: {},
        stdio: ['pipe', 'ignore', 'ignore'],
      },
    );
    const setKept = (isKept: boolean) => {
      this.#isKept = isKept;
      if (!isKept) this.resume();
    };
    keeper.once('spawn', () => setKept(true));
    keeper.once('exit', () => setKept(false));
    keeper.on('error', () => setKept(false));
    keeper.stdin.on('error', () => {});
    if ('unref' in keeper.stdin && typeof keeper.stdin.unref === 'function') keeper.stdin.unref();
    keeper.unref();
    return keeper;
  }
}

// Messages between the gateway and its reader processes.

/** A read: in Prisma's form, or direct. */
export type ReaderRead = { query: SqlQuery } | { sql: string; values: readonly SqliteValue[] };

/** The outcome of a read, without columns where it is direct; `code` is SQLite's name of the error. */
export type ReaderAnswer = SqlResultSet | { message: string; code: string | undefined };

/** An outcome, or the next rows of a large one. */
type ReaderMessage = ReaderAnswer & { isPart?: boolean };

/** Bytes of rows in one message. To take 25 MB from a pipe as one message holds the event loop for 50 ms. */
const mostAtOnce = 512 * 1024;

export function* messagesOf(answer: ReaderAnswer): Generator<ReaderMessage> {
  if ('message' in answer) return yield answer;
  let rows: unknown[][] = [];
  let bytes = 0;
  for (const row of answer.rows) {
    rows.push(row);
    bytes += bytesOfRow(row);
    if (bytes < mostAtOnce) continue;
    yield { ...answer, rows, isPart: true };
    rows = [];
    bytes = 0;
  }
  yield { ...answer, rows };
}

/** The file descriptor of the pipe whose closing tells a reader process that the gateway has ended. */
export const readerPipe = 4;

export const isRead = (message: unknown): message is ReaderRead =>
  isObject(message) && ('query' in message || 'sql' in message);

const isAnswer = (message: unknown): message is ReaderMessage =>
  isObject(message) && ('rows' in message || 'message' in message);
