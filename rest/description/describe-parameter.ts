import type { Parameter } from '../request/parameters.js';

export interface DescribedParameter extends Omit<Parameter, 'variable' | 'read'> {
  /** Headers are not part of the legacy documentation. */
  'x-extension'?: true;
}

export const describeParameter = ({
  name,
  in: place,
  required,
  explode,
  description,
  schema,
  example,
}: Parameter): DescribedParameter => ({
  name,
  in: place,
  required,
  ...(explode === false && { explode }),
  description,
  schema,
  ...(example !== undefined && { example }),
  ...(place === 'header' && { 'x-extension': true }),
});
