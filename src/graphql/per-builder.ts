/** Creates something once for each builder: a type has one definition per schema, however many fields use it. */
import type { Resource } from '../model/resource.js';
import type { Builder } from './builder.js';

export function perBuilder<Made>(make: (builder: Builder) => Made): (builder: Builder) => Made {
  return memoized(new WeakMap<Builder, Made>(), make);
}

/** The same, once for each resource. */
export function perResource<Made>(
  make: (builder: Builder, resource: Resource) => Made,
): (builder: Builder, resource: Resource) => Made {
  const ofBuilder = perBuilder((builder) =>
    memoized(new Map<Resource, Made>(), (resource: Resource) => make(builder, resource)),
  );
  return (builder, resource) => ofBuilder(builder)(resource);
}

interface Memory<Key, Made> {
  get(key: Key): Made | undefined;
  set(key: Key, made: Made): unknown;
}

function memoized<Key, Made>(memory: Memory<Key, Made>, make: (key: Key) => Made): (key: Key) => Made {
  return (key) => {
    const known = memory.get(key);
    if (known !== undefined) return known;
    const made = make(key);
    memory.set(key, made);
    return made;
  };
}
