import {
  type GraphQLResolveInfo,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isCompositeType,
  isListType,
  isObjectType,
} from 'graphql';
import type { RequestContext } from '../../change/context.js';
import { type MaybePromise, whenResolved } from '../../common/maybe-promise.js';
import { type KnownList, settledInTurns } from '../../database/turns.js';
import { guardResolver } from '../answered-by-sql.js';

/**
 * Makes every list of objects yield to the event loop between its items: the fields of a thousand records take a
 * quarter of a second. Not where the items load something each, which is loaded for all of them at once.
 */
export function takeTurns(schema: GraphQLSchema): GraphQLSchema {
  const operations = new WeakMap<RequestContext, KnownLoads>();
  const loadsOf = (context: RequestContext) => {
    const known = operations.get(context) ?? new KnownLoads();
    operations.set(context, known);
    return known;
  };
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue;
    for (const field of Object.values(type.getFields())) {
      if (!isCompositeType(getNamedType(field.type))) continue;
      const isList = isListType(getNullableType(field.type));
      guardResolver(field, (resolve) => (source, args, context, info) => {
        const resolved: MaybePromise<unknown> = resolve(source, args, context, info);
        if (resolved instanceof Promise) loadsOf(context).note(info.path);
        if (!isList) return resolved;
        return whenResolved<unknown, unknown>(resolved, (items) =>
          Array.isArray(items)
            ? settledInTurns<unknown>(items, loadsOf(context).of(info.path), context.deadline?.signal)
            : items,
        );
      });
    }
  }
  return schema;
}

/**
 * Which lists of an operation have items that load something each. What the items of a list load in one turn of the event
 * loop is loaded by one statement, so a turn between them would make one statement for each turn.
 */
type Path = GraphQLResolveInfo['path'];

/** Microtasks after which the fields of the first item have been asked for, however many guards pass its list on. */
const untilAsked = 25;

class KnownLoads {
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
