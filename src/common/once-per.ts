/**
 * Makes something once for each object, which is the first argument; it is garbage-collected together with the object. What
 * is made may follow from further arguments too, where they are the same for each object.
 */
export function oncePer<Key extends object, Others extends readonly unknown[], Made>(
  make: (key: Key, ...others: Others) => Made,
): (key: Key, ...others: Others) => Made {
  const known = new WeakMap<Key, { made: Made }>();
  return (key, ...others) => {
    let kept = known.get(key);
    if (!kept) {
      kept = { made: make(key, ...others) };
      known.set(key, kept);
    }
    return kept.made;
  };
}
