import type { Call } from './call.js';
import { flags, options, quietFlags } from './curl-options.js';
import { CurlRequest } from './curl-request.js';
import { shellWords, type TranslationProblem } from './shell-words.js';

/** The longest line that is read. */
const longest = 1_000_000;

/** The request that a pasted line of curl makes. Neither the call nor a problem holds the key of the line. */
export function readCurl(text: string): Call | TranslationProblem {
  if (text.length > longest) return { problem: 'The line is longer than a megabyte.' };
  const words = shellWords(text);
  if ('problem' in words) return words;
  const [program = '', ...rest] = words[0] === '$' ? words.slice(1) : words;
  if (!/^(.*[\\/])?curl(\.exe)?$/.test(program)) return { problem: 'It does not begin with curl.' };
  const line = new CurlRequest();
  let at = 0;
  const next = () => rest[at++];
  let onlyWords = false;
  for (let word = next(); word !== undefined; word = next()) {
    if (word === '--' && !onlyWords) onlyWords = true;
    else if (onlyWords || word === '-' || !word.startsWith('-')) line.url(word);
    else if (word.startsWith('--')) option(line, word, next);
    else short(line, word.slice(1), next);
  }
  return line.call();
}

type Next = () => string | undefined;

function option(line: CurlRequest, word: string, next: Next): void {
  const equals = word.indexOf('=');
  const name = equals < 0 ? word : word.slice(0, equals);
  const effect = options[name];
  if (effect) effect(line, (equals < 0 ? next() : word.slice(equals + 1)) ?? '');
  else if (flags[name]) flags[name](line);
  else if (!quietFlags.has(name))
    line.object(`The option ${/^--[a-z0-9-]{1,40}$/.test(name) ? name : '--…'} is not known here; leave it out.`);
}

/** Short options may stand together, `-sSX`, and their value may follow at once, `-XPOST`. */
function short(line: CurlRequest, letters: string, next: Next): void {
  for (let at = 0; at < letters.length; at++) {
    const name = `-${letters.charAt(at)}`;
    const effect = options[name];
    if (effect) return effect(line, at + 1 < letters.length ? letters.slice(at + 1) : (next() ?? ''));
    if (flags[name]) flags[name](line);
    else if (!quietFlags.has(name))
      return line.object(`The option ${/^-[a-zA-Z0-9#:]$/.test(name) ? name : '-…'} is not known here; leave it out.`);
  }
}
