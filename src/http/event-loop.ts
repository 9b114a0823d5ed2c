/** Milliseconds between looks. */
const lookEvery = 100;
/** Milliseconds by which each look has to come late. */
const late = 250;
/** So many looks have to be late one after the other: one long step is no overload. */
const looks = 4;

/**
 * Whether more arrives than the process can do: then what is due comes late, again and again, because everything waits
 * behind everything else. Costs a timer, and ends with the process.
 */
export function watchEventLoop(): () => boolean {
  let lateLooks = 0;
  let due = performance.now() + lookEvery;
  const look = () => {
    const now = performance.now();
    lateLooks = now - due > late ? lateLooks + 1 : 0;
    due = now + lookEvery;
  };
  setInterval(look, lookEvery).unref();
  return () => lateLooks >= looks;
}
