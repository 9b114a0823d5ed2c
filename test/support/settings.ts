/** The settings of the gateway with all its features. */
import { features } from '../../src/features.js';
import { type Config, readConfig as read, settings as settingsOf } from '../../src/gateway/config/config.js';

export const settings = settingsOf(features);

export const readConfig = (given: Readonly<Record<string, string | undefined>>): Config => read(given, features);

/** The values of all, by their names in the code. */
export const allValues = ({ texts, ...own }: Config): Record<string, unknown> =>
  Object.assign({}, own, ...features.map((each) => each.settings?.of({ texts })));
