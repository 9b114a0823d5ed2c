import type { Deprecation } from '../../src/features/usage/deprecations.js';
import { documentPath } from '../operation-names.js';

export interface DescribedDeprecation {
  description?: string;
  deprecated?: true;
  /** When it ends. */
  'x-sunset'?: string;
}

/** Adds the deprecation of an endpoint to its description. */
export function describeDeprecation(
  name: string,
  deprecation: Deprecation | undefined,
  description?: string,
): DescribedDeprecation {
  if (!deprecation) return description === undefined ? {} : { description };
  const { since, sunset, documentation } = deprecation;
  const sentences = [
    ...(description === undefined ? [] : [description]),
    // The sentence must be true before and after that day, because the description is made only once.
    `Deprecated from ${dayOf(since)} on${sunset ? `, and ends on ${dayOf(sunset)}` : ''}.`,
    `Use the GraphQL operation [${name}](${documentPath(name).slice(1)}) instead.`,
    ...(documentation ? [`[More about it](${documentation}).`] : []),
  ];
  return {
    description: sentences.join(' '),
    deprecated: true,
    ...(sunset ? { 'x-sunset': sunset.toISOString() } : {}),
  };
}

const dayOf = (instant: Date): string => instant.toISOString().slice(0, 10);
