import { Writable } from 'node:stream';
import pino, { type Level, type Logger, type LoggerOptions } from 'pino';
import type { Config } from './config.js';

/** A log and the way to be sure that all of it is written, before the process ends. */
export interface Log {
  log: Logger;
  flush(): void;
}

/**
 * Logs to standard error, so that standard output stays for people: JSON lines for programs, or one short line each
 * where standard error is a terminal.
 */
export function createLog(level: Config['logLevel'], forPeople = process.stderr.isTTY): Log {
  const options: LoggerOptions = { level, base: null, timestamp: pino.stdTimeFunctions.isoTime };
  if (forPeople) return { log: pino(options, new LinesForPeople()), flush: () => {} };
  const destination = pino.destination({ dest: 2, sync: false });
  destination.on('error', () => {}); // nobody reads the log any more
  return { log: pino({ ...options, formatters: { level: (label) => ({ level: label }) } }, destination), flush };

  function flush(): void {
    try {
      destination.flushSync();
    } catch {
      // It had not been opened yet, or nobody reads it any more: there is nothing to flush, or no use.
    }
  }
}

/** `12:04:31 info  GET /api/stock/serial-no 200 3.1 ms  4f0c…`; anything but a request as its message and its rest. */
class LinesForPeople extends Writable {
  constructor() {
    super({ decodeStrings: false });
  }

  override _write(line: string, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    process.stderr.write(`${lineForPeople(line)}\n`, done);
  }
}

/** One JSON line of the log, as a person at a terminal reads it. */
export function lineForPeople(json: string): string {
  const { level, time, msg, method, path, status, ms, requestId, keyId, err, ...rest } = JSON.parse(json);
  const label = pino.levels.labels[level as number] satisfies Level | string | undefined;
  const start = `${new Date(time).toLocaleTimeString('en-GB')} ${String(label).padEnd(5)}`;
  const others = Object.keys(rest).length > 0 ? ` ${JSON.stringify(rest)}` : '';
  if (msg === 'request') return `${start} ${method} ${path} ${status} ${ms} ms  ${requestId}${others}`;
  return `${start} ${msg ?? ''}${others}${err ? `\n${err.stack ?? err.message}` : ''}`;
}
