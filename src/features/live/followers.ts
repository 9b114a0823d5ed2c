/** The followers of all kinds of streams. Subscribers of one kind share a follower if they are at the same position. */
import type { Follower } from './follower.js';

/** The most entries by which a follower may be behind and still take in somebody who is not. */
const nearby = 100;

export class Followers {
  readonly #byKey = new Map<string, Set<Follower>>();

  /** A follower for a subscriber that has everything up to `position`: an existing one, or one that `make` creates. */
  of(key: string, position: number, make: (onProgress: () => void) => Follower): Follower {
    const same = this.#byKey.get(key) ?? new Set();
    for (const follower of same) if (follower.takes(position, nearby)) return follower;
    const follower = make(() => this.#join(follower, same));
    same.add(follower);
    this.#byKey.set(key, same);
    return follower;
  }

  wake(): void {
    for (const same of this.#byKey.values()) for (const follower of same) follower.wake();
  }

  /** Called when the last member has left. */
  forget(follower: Follower): void {
    const same = this.#byKey.get(follower.key);
    same?.delete(follower);
    if (same?.size === 0) this.#byKey.delete(follower.key);
  }

  /** Once a follower has caught up with another of the same kind, they go on as one. */
  #join(follower: Follower, same: ReadonlySet<Follower>): void {
    for (const other of same) {
      if (other === follower || !other.takes(follower.position, nearby)) continue;
      for (const member of follower.members) {
        member.start = follower.positionOf(member);
        member.follower = other;
        other.members.add(member);
      }
      follower.members.clear();
      this.forget(follower);
      other.wake();
      return;
    }
  }
}
