import type { Server } from 'node:http';

/** Milliseconds for which a worker that gets more connections than before lets others accept. */
const pause = 0.5;
/** Milliseconds after which it compares with what it has then. */
const comparedEvery = 5_000;

/**
 * Workers race for new connections, and the one that wakes first would take all of a burst while the others still wake. So a
 * worker sleeps for a moment whenever it has more connections than it had lately: the others are awake then, and take
 * their part. Connections that come and go cost no sleep.
 */
export function shareBursts(server: Server): void {
  const nothing = new Int32Array(new SharedArrayBuffer(4));
  let open = 0;
  let most = 0;
  setInterval(() => {
    most = open;
  }, comparedEvery).unref();
  server.on('connection', (socket) => {
    open++;
    socket.once('close', () => {
      open--;
    });
    if (open <= most) return;
    most = open;
    if (open > 1) Atomics.wait(nothing, 0, 0, pause);
  });
}
