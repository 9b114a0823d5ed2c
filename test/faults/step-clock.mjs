/**
 * Loaded into a gateway before anything else: its clock differs from that of the machine by the milliseconds in the file named by
 * CLOCK_STEP, as long as that exists. Clocks step when somebody corrects them, or restores a machine. With CLOCK_LOOKS, what is
 * done every minute is done every so many milliseconds.
 */
import { readFileSync } from 'node:fs';

const RealDate = Date;
const { CLOCK_STEP = '', CLOCK_LOOKS } = process.env;
const now = () => RealDate.now() + step();

function step() {
  try {
    return Number(readFileSync(CLOCK_STEP, 'utf8'));
  } catch {
    return 0;
  }
}

globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, newTarget) => Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
});

if (CLOCK_LOOKS) {
  const realInterval = setInterval;
  globalThis.setInterval = (work, every, ...rest) =>
    realInterval(work, every === 60_000 ? Number(CLOCK_LOOKS) : every, ...rest);
}
