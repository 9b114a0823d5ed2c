/** Doubles that other programs easily write differently from JavaScript; the same ones for the same seed. */
import { chanceOf } from '../compiled/random.js';

export function oddDoubles(count: number, seed: number): number[] {
  const { pick, upTo } = chanceOf(seed);
  const kinds = [
    () => fromBits(upTo(2 ** 32 - 1), upTo(2 ** 32 - 1)),
    // Near where the form of the text changes: 1e-7, 1e-4, 1e15, 2^53, 1e21.
    () => fromBits((1023 + pick([-24, -14, 49, 52, 69]) + upTo(4)) * 2 ** 20 + upTo(2 ** 20 - 1), upTo(2 ** 32 - 1)),
    () => Number(`${upTo(10 ** (1 + upTo(8)))}${upTo(10 ** (1 + upTo(8)) - 1)}e${upTo(50) - 30}`),
    () => neighbour(2 ** (upTo(2097) - 1074), upTo(4) - 2),
    () => neighbour(Number(`1e${upTo(631) - 323}`), upTo(4) - 2),
    () => upTo(2 ** 31) / pick([1, 3, 7, 10, 100, 1000, 1e4, 1e6]),
    () => pick([0.1, 0.7, 1.1, 19.99]) * upTo(1000),
    () => fromBits(0, upTo(2 ** 32 - 1)),
    between,
  ];
  const fixed = [0, -0, 80, 1e-7, 0.000001, 2 ** 53, 2 ** 53 + 2, 1e15, 1e16, 1e21, 1e23, 5e-324, Number.MAX_VALUE];
  const found = fixed.flatMap((number) => [number, -number]);
  while (found.length < count) {
    const number = pick(kinds)() * pick([1, -1]);
    if (Number.isFinite(number)) found.push(number);
  }
  return found;

  /** A text halfway between two doubles, which is read as the even one and is also its shortest form: 1e23. */
  function between(): number {
    const zeros = 1 + upTo(21);
    const five = 5n ** BigInt(zeros);
    const odd = (2n ** 53n / five + BigInt(upTo(Number(2n ** 53n / five)))) | 1n;
    return Number(odd * 10n ** BigInt(zeros) * 2n ** BigInt(upTo(3)));
  }
}

function fromBits(high: number, low: number): number {
  const view = new DataView(new ArrayBuffer(8));
  view.setUint32(0, high);
  view.setUint32(4, low);
  return view.getFloat64(0);
}

/** The double this many steps further. */
function neighbour(number: number, steps: number): number {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, number);
  view.setBigInt64(0, view.getBigInt64(0) + BigInt(steps));
  return view.getFloat64(0);
}
