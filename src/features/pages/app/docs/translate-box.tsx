import { type FormEvent, useId, useState } from 'react';
import type { Call } from '../../../translation/pure/curl-line.js';
import { readCurl } from '../../../translation/pure/curl-line.js';
import { restTwin, valuesIn } from '../../../translation/pure/rest-twin.js';
import { asCurl, graphqlSnippets, type Snippet } from '../../../translation/pure/snippets.js';
import type { About } from '../../about.js';
import { bearing, jsonOf, reach, useAbout, useAttempt } from '../api/graphql.js';
import { addressOf, origin, pathOf } from '../router.js';
import { freshKey } from '../session/session.js';
import { Code } from '../ui/controls.js';

/** Turns a pasted line of curl into GraphQL, and an operation of GraphQL into a line of curl. */
export function TranslateBox() {
  const about = useAbout();
  const id = useId();
  const [text, setText] = useState('');
  const { found, problem, start } = useAttempt((given: string) => translate(given, about));

  const submit = (event: FormEvent) => {
    event.preventDefault();
    void start(text);
  };

  return (
    <details className="translate">
      <summary>Translate a call between REST and GraphQL</summary>
      <form onSubmit={submit}>
        <label htmlFor={id}>A line of curl, or an operation of GraphQL with its variables below it</label>
        <textarea
          id={id}
          rows={5}
          spellCheck={false}
          value={text}
          onChange={(event) => setText(event.target.value)}
          aria-describedby={`${id}-problem`}
          aria-invalid={problem !== undefined}
        />
        <div className="translate-row">
          <button type="submit" className="main">
            Translate
          </button>
          <a href={pathOf('docs/usage')}>Who still calls what</a>
        </div>
        <p className="problem" id={`${id}-problem`} role="alert">
          {problem}
        </p>
      </form>
      {found && <Shown translation={found} />}
    </details>
  );
}

function Shown({ translation: { title, snippets, graphiql } }: { translation: Translation }) {
  const [language, setLanguage] = useState<string>('curl');
  const shown = snippets.find((snippet) => snippet.language === language) ?? snippets[0];
  return (
    <section aria-label="Translation">
      <h2>{title}</h2>
      <div className="translate-row">
        {snippets.length > 1 &&
          snippets.map((snippet) => (
            <button
              key={snippet.language}
              type="button"
              className="small"
              aria-pressed={snippet === shown}
              onClick={() => setLanguage(snippet.language)}
            >
              {snippet.language}
            </button>
          ))}
        {graphiql && <a href={graphiql}>Open in GraphiQL</a>}
      </div>
      {shown && <Code>{shown.text}</Code>}
    </section>
  );
}

interface Translation {
  /** What the pasted text is, and what it means. */
  title: string;
  snippets: Snippet[];
  /** Where GraphiQL opens with it; undefined for a call of REST, and for what is too long for an address. */
  graphiql?: string | undefined;
}

/**
 * What a pasted line of curl means in GraphQL, or a pasted operation in REST. The gateway explains a call of REST for
 * the key of the signed-in user; the key of the line is sent nowhere. @throws Error with what is wrong
 */
async function translate(text: string, about: About): Promise<Translation> {
  if (!/^\s*(\$\s*)?\S*curl/.test(text)) return toRest(text, undefined, about);
  const call = readCurl(text);
  if ('problem' in call) throw new Error(call.problem);
  if (/^\/graphql(\?|$)/.test(call.path)) return fromGraphqlCall(call, about);
  const key = await freshKey();
  if (!key) throw new Error('Sign in first: the gateway explains a call only to those who may make it.');
  return explain(call, key);
}

interface Explained {
  explanation?: { operation: string; document: string; variables: Record<string, unknown>; graphiql: string | null };
  error?: { message: string };
}

async function explain({ method, path, headers, body }: Call, key: string): Promise<Translation> {
  const url = new URL(addressOf(path.slice(1)));
  // The address that is asked decides, not the text: by `..` the text could lead to where calls are not explained.
  if (!url.href.startsWith(addressOf('api/')))
    throw new Error('Calls of REST go to /api/…, and those of GraphQL to /graphql.');
  url.searchParams.set('_explain', 'graphql');
  const { 'if-match': version } = headers;
  const response = await reach(url, {
    method: method === 'HEAD' ? 'GET' : method,
    headers: {
      ...bearing(key),
      ...(version !== undefined && { 'If-Match': version }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
    },
    body: method === 'GET' || method === 'HEAD' ? undefined : body,
  });
  const { explanation, error } = await jsonOf<Explained>(response);
  if (!explanation) throw new Error(error?.message ?? `The gateway answered ${response.status}.`);
  const { operation, document, variables, graphiql } = explanation;
  return {
    title: `${operation} does the same in GraphQL`,
    snippets: graphqlSnippets({ document, variables }, origin),
    graphiql: graphiql ? pathOf('graphql') + graphiql.slice(graphiql.indexOf('#')) : undefined,
  };
}

function fromGraphqlCall({ body = '{}' }: Call, about: About): Translation {
  const { query, variables } = valuesIn(body) ?? {};
  if (typeof query !== 'string') throw new Error('The body is not a JSON object with an operation as its `query`.');
  return toRest(query, variables, about);
}

/** An operation may be followed by its variables, as a JSON object. */
function toRest(text: string, given: unknown, { types }: About): Translation {
  const end = text.lastIndexOf('\n{');
  const variables = end < 0 ? undefined : valuesIn(text.slice(end));
  const call = variables ? restTwin(text.slice(0, end), variables, types) : restTwin(text, given, types);
  if ('problem' in call) throw new Error(call.problem);
  const [path = ''] = call.path.split('?');
  return {
    title: `${call.method} ${path} does the same in REST, and answers with every field`,
    snippets: [{ language: 'curl', text: asCurl({ ...call, origin }) }],
  };
}
