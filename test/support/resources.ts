import { datamodel } from '../../src/generated/datamodel.js';
import { catalogue, type RecordModel } from '../../src/model/catalogue.js';
import { createResources } from '../../src/model/create-resources.js';
import type { Resource } from '../../src/model/resource.js';

/** The resources of the gateway, made once for all tests of a process. */
export const resources: readonly Resource[] = createResources(datamodel, catalogue);

export function resourceOf(model: RecordModel): Resource {
  const resource = resources.find((one) => one.model === model);
  if (!resource) throw new Error(`${model} is not in the catalogue`);
  return resource;
}
