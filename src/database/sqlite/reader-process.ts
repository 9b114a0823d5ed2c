/**
 * The program of a reader process. It answers one read at a time on its own read-only connection. `SqliteReader` starts
 * it and kills it to stop a read, because a running statement of SQLite cannot be interrupted from JavaScript. It ends
 * together with the gateway, however that ends.
 */
import { Worker } from 'node:worker_threads';
import { isRead, messagesOf, type ReaderAnswer, type ReaderRead, readerPipe } from './reader.js';
import { SqliteConnection } from './sqlite-connection.js';

// A running statement blocks this thread, so a worker thread watches the pipe, which the system closes when the gateway
// ends.
const guard = `
  const { Socket } = require('node:net');
  new Socket({ fd: ${readerPipe} }).resume().on('error', () => {}).on('close', () => process.kill(process.pid, 'SIGKILL'));
`;
new Worker(guard, { eval: true, execArgv: [], stdout: true, stderr: true }).unref();

// Ignores signals that a terminal or service manager sends to the whole process group: the gateway finishes the work
// under way and then ends this process.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});

const [, , path = '', answerLimit] = process.argv;
const connection = new SqliteConnection(path, {
  readonly: true,
  charactersKept: 200_000,
  answerLimit: answerLimit === undefined ? undefined : Number(answerLimit),
});
// Nothing else runs in this process, so SQLite itself may wait for a lock.
connection.script('PRAGMA busy_timeout = 5000; PRAGMA query_only = ON; PRAGMA cache_size = -32000;');

process.on('message', (message) => {
  if (!isRead(message)) return;
  let isLarge = false;
  for (const part of messagesOf(answerTo(message))) {
    isLarge ||= part.isPart ?? false;
    process.send?.(part, undefined, {}, () => {
      // The memory of a large answer is not in V8's heap, so V8 does not notice how much of it there is.
      if (isLarge && !part.isPart) setImmediate(() => globalThis.gc?.());
    });
  }
});

function answerTo(read: ReaderRead): ReaderAnswer {
  try {
    if ('query' in read) return connection.query(read.query);
    return { columnNames: [], columnTypes: [], rows: connection.rows(read.sql, read.values) };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : undefined;
    return { message: error instanceof Error ? error.message : String(error), code };
  }
}
