/**
 * The program of a reader process: it answers one read at a time, on a read-only connection of its own. SQLite cannot be
 * interrupted from JavaScript, but a process can be killed; `SqliteReader` starts and kills it. It ends with the gateway,
 * however that ended.
 */
import { Worker } from 'node:worker_threads';
import { SqliteConnection } from './sqlite-connection.js';
import { isRead, type ReaderAnswer, type ReaderRead, readerPipe } from './sqlite-reader-messages.js';

// A statement under way keeps this thread from hearing anything. Another thread holds the end of a pipe, which the system
// closes with the gateway.
const guard = `
  const { Socket } = require('node:net');
  new Socket({ fd: ${readerPipe} }).resume().on('error', () => {}).on('close', () => process.kill(process.pid, 'SIGKILL'));
`;
new Worker(guard, { eval: true, execArgv: [], stdout: true, stderr: true }).unref();

// What a terminal or a service manager sends to the whole group: the gateway finishes what is under way.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));

const [, , path = '', answerLimit] = process.argv;
const connection = new SqliteConnection(path, {
  readonly: true,
  charactersKept: 200_000,
  answerLimit: answerLimit === undefined ? undefined : Number(answerLimit),
});
// Nobody else waits in this process, so SQLite itself may wait for a lock.
connection.script('PRAGMA busy_timeout = 5000; PRAGMA query_only = ON; PRAGMA cache_size = -32000;');

process.on('message', (message) => {
  if (isRead(message)) process.send?.(answerTo(message));
});

function answerTo(read: ReaderRead): ReaderAnswer {
  try {
    if ('query' in read) return { result: connection.query(read.query) };
    return { rows: connection.rows(read.sql, read.values) };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : undefined;
    return { message: error instanceof Error ? error.message : String(error), code };
  }
}
