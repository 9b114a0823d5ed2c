/** Milliseconds between looks, and by which each has to come late. */
export const patience = { every: 100, late: 500 };
/** So many looks have to be late one after the other: one long step is no overload. */
export const looks = 4;

/**
 * Whether more arrives than the process can do: then what is due comes late, again and again, because everything waits
 * behind everything else. Costs a timer, and ends with the process.
 */
export function watchEventLoop({ every, late } = patience): () => boolean {
  let lateLooks = 0;
  let due = performance.now() + every;
  const look = () => {
    const now = performance.now();
    lateLooks = now - due > late ? lateLooks + 1 : 0;
    due = now + every;
  };
  setInterval(look, every).unref();
  return () => lateLooks >= looks;
}
