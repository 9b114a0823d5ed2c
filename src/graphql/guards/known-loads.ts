/**
 * Which lists of an operation have items that load something each. What the items of a list load in one turn of the event
 * loop is loaded by one statement, so a turn between them would make one statement for each turn.
 */
import type { GraphQLResolveInfo } from 'graphql';
import type { KnownList } from '../../database/turns.js';

type Path = GraphQLResolveInfo['path'];

/** Microtasks after which the fields of the first item have been asked for, however many guards pass its list on. */
const untilAsked = 25;

export class KnownLoads {
  readonly #lists = new Map<string, Writable<KnownList>>();

  /**
   * Called with each field of a record that is not resolved at once: the lists around it have items that load
   * something.
   */
  note(path: Path): void {
    for (let at = path.prev; at; at = at.prev) {
      if (typeof at.key === 'number') continue;
      const known = this.#lists.get(keyOf(at));
      if (known) known.loads = true;
    }
  }

  /** What is known of a list. Of a list that is met for the first time, `loads` is known once `seen` has resolved. */
  of(path: Path): KnownList {
    const key = keyOf(path);
    const known = this.#lists.get(key);
    if (known) return known;
    const list: Writable<KnownList> = { loads: undefined, seen: Promise.resolve(), isOnlyOne: !isInList(path) };
    list.seen = inMicrotasks(untilAsked).then(() => {
      list.loads ??= false;
    });
    this.#lists.set(key, list);
    return list;
  }
}

async function inMicrotasks(count: number): Promise<void> {
  for (let index = 0; index < count; index++) await undefined;
}

type Writable<Type> = { -readonly [Key in keyof Type]: Type[Key] };

function isInList({ prev }: Path): boolean {
  for (let at = prev; at; at = at.prev) if (typeof at.key === 'number') return true;
  return false;
}

/** The same for all items of a list. */
function keyOf(path: Path): string {
  let key = '';
  for (let at: Path | undefined = path; at; at = at.prev) if (typeof at.key === 'string') key = `${at.key}.${key}`;
  return key;
}
