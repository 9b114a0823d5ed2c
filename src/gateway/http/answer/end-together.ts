/**
 * Ends answers together that are ready in one turn of the event loop. Each answer that is sent alone wakes the client's
 * process, or the proxy's, and sending after each read makes the processor load other code and data again and again:
 * together that took a third of the time of a short read. The first answer of a turn is sent at once, because it may be
 * the only one.
 */
import type { ServerResponse } from 'node:http';

/** Milliseconds after which the answers that are ready wait for no further one. */
const longestWait = 1;

interface Answer {
  response: ServerResponse;
  body: string | undefined;
  encoding: 'latin1' | 'utf8';
}

/** Whether an answer was sent in this turn. */
let isUnderWay = false;
let ready: Answer[] = [];
let firstReadyAt = 0;

/** Ends a response whose headers are written: at once, at the end of the turn, or when others have waited for long. */
export function endTogether(response: ServerResponse, body: string | undefined, encoding: Answer['encoding']): void {
  if (!isUnderWay) {
    isUnderWay = true;
    setImmediate(endTurn);
    return void response.end(body, encoding);
  }
  const now = performance.now();
  if (ready.length === 0) firstReadyAt = now;
  ready.push({ response, body, encoding });
  if (now - firstReadyAt > longestWait) endReady();
}

function endTurn(): void {
  isUnderWay = false;
  endReady();
}

function endReady(): void {
  const answers = ready;
  ready = [];
  for (const { response, body, encoding } of answers) response.end(body, encoding);
}
