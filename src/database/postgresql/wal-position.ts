/**
 * Positions in the write-ahead log of PostgreSQL: the timeline, a number that each promotion of a standby increases,
 * and the place in the log, as in `2-16/B374D848`. A standby shows what it has replayed. One that followed the old
 * primary beyond the promotion is on the old timeline, and so below every position of the new one.
 */
export type WalPosition = bigint;

/** Beyond all that any standby replays. */
export const beyondAll: WalPosition = 0xffff_ffff_ffff_ffff_ffff_ffffn;

/** Undefined where the text is no position. */
export function walPosition(text: unknown): WalPosition | undefined {
  const parts = /^([0-9A-F]{1,8})-([0-9A-F]{1,8})\/([0-9A-F]{1,8})$/i.exec(String(text));
  return parts?.slice(1).reduce((position, part) => (position << 32n) + BigInt(`0x${part}`), 0n);
}

export const walText = (position: WalPosition): string => {
  const [timeline, high, low] = [position >> 64n, (position >> 32n) & part, position & part];
  return `${timeline.toString(16)}-${high.toString(16)}/${low.toString(16)}`.toUpperCase();
};

const part = 0xffff_ffffn;
