import { settings } from '../config.js';

/** What `--help` prints: the settings with their defaults and meanings. */
export function help(): string {
  const lines = settings().map(
    ({ name, default: value, meaning }) => `  ${name.padEnd(14)}${meaning}${value ? ` [${value}]` : ''}`,
  );
  return `Business Records Gateway: business records over GraphQL and REST.

  npm start             builds and starts it
  npm start -- --help   prints this
  npm run keys          makes, lists, rotates and revokes API keys

Settings are environment variables; the default stands in brackets.

${lines.join('\n')}
`;
}
