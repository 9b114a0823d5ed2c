import type { DMMF } from '@prisma/generator-helper';
import { datamodel } from '../../src/generated/datamodel.js';
import { modelName } from './documented-fields.js';

/** The Prisma model of a documented resource. Throws when there is none. */
export function modelOf(title: string): DMMF.Model {
  const model = datamodel.models.find(({ name }) => name === modelName(title));
  if (!model) throw new Error(`No model ${modelName(title)} in prisma/models for "${title}"`);
  return model;
}

/** A documentation comment as one line of text. */
export function textOf(documentation: string | undefined): string {
  return (documentation ?? '').replaceAll('\n', ' ').trim();
}
