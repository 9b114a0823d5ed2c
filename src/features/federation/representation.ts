import type { Resource } from '../../model/resource.js';

/**
 * What a router of Apollo Federation sends to have a record looked up. Its form has been checked; the id may be that of
 * another type, or of no record.
 */
export class Representation {
  constructor(
    readonly resource: Resource,
    readonly id: string,
  ) {}
}
