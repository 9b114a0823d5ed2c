import { createRestEndpoints } from '../../../rest/endpoints.js';
import { isObject } from '../../common/is-object.js';
import { readConfig } from '../../gateway/config/config.js';
import { type Feature, servedFeatures } from '../../gateway/feature.js';
import { datamodel } from '../../generated/datamodel.js';
import { createSchema } from '../../graphql/create-schema.js';
import { catalogue } from '../../model/catalogue.js';
import { createResources } from '../../model/create-resources.js';
import { aboutOf } from '../pages/make-about.js';
import { readCurl } from './curl-line.js';
import { restTwin } from './rest-twin.js';
import { asCurl, graphqlSnippets } from './snippets.js';
import { createTranslateCall } from './translate-call.js';

export interface Wanted {
  /** The form of an operation: `graphql`, or the first word of a language of `graphqlSnippets` in lower case. */
  as: string;
  /** JSON. */
  variables: string | undefined;
  origin: string;
}

/** What to print, as text and for programs. */
export type Translated = { text: string; value: unknown } | { problem: string };

/** Translates a line of curl into an operation, and any other text, which is an operation, into a line of curl. */
export async function translated(text: string, wanted: Wanted, features: readonly Feature[]): Promise<Translated> {
  return /^\s*(\$\s*)?(\S*[\\/])?curl(\.exe)?\s/.test(text)
    ? operationOf(text, wanted, features)
    : lineOf(text, wanted, features);
}

async function operationOf(line: string, { as, origin }: Wanted, features: readonly Feature[]): Promise<Translated> {
  const call = readCurl(line);
  if ('problem' in call) return call;
  const endpoints = createRestEndpoints(
    createResources(datamodel, catalogue),
    await servedFeatures(features, readConfig({}, features)),
  );
  const found = createTranslateCall(endpoints)(call);
  if ('problem' in found) return found;
  const snippets = graphqlSnippets(found, call.origin || origin);
  const code = snippets.find(({ language }) => language.toLowerCase().split(' ')[0] === as)?.text;
  return { text: code ?? `${found.document.trim()}\n\n${JSON.stringify(found.variables, null, 2)}\n`, value: found };
}

async function lineOf(
  document: string,
  { variables = '{}', origin }: Wanted,
  features: readonly Feature[],
): Promise<Translated> {
  const values = valuesIn(variables);
  if (!values) return { problem: 'The variables are not a JSON object.' };
  const resources = createResources(datamodel, catalogue);
  const served = await servedFeatures(features, readConfig({}, features));
  const { types } = aboutOf({
    schema: createSchema({ resources, features: served }),
    endpoints: createRestEndpoints(resources, served),
    database: { provider: 'sqlite' },
    trustedDocuments: undefined,
    journal: undefined,
  });
  const found = restTwin(document, values, types);
  if ('problem' in found) return found;
  const { method, path, headers, body } = found;
  return { text: asCurl({ ...found, origin }), value: { method, path, headers, body } };
}

function valuesIn(text: string): Record<string, unknown> | undefined {
  try {
    const values: unknown = JSON.parse(text);
    return isObject(values) && !Array.isArray(values) ? { ...values } : undefined;
  } catch {
    return undefined;
  }
}
