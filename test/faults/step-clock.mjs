/**
 * Loaded into a gateway before anything else: its clock is a day behind as long as the file named by CLOCK_STEPS_BACK
 * exists. Clocks step back when somebody corrects them, or restores a machine.
 */
import { existsSync } from 'node:fs';

const RealDate = Date;
const day = 24 * 60 * 60 * 1000;
const now = () => RealDate.now() - (existsSync(process.env.CLOCK_STEPS_BACK ?? '') ? day : 0);

globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, newTarget) => Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
});
