import type { Resource } from '../model/resource.js';

/** `make`, called once for each resource: a type has one definition, however many fields use it. */
export function perResource<Made>(make: (resource: Resource) => Made): (resource: Resource) => Made {
  const made = new Map<Resource, Made>();
  return (resource) => {
    const known = made.get(resource);
    if (known) return known;
    const fresh = make(resource);
    made.set(resource, fresh);
    return fresh;
  };
}
