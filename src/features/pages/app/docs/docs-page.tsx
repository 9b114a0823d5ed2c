import { type FormEvent, useId, useState } from 'react';
import { type Call, readCurl } from '../../../translation/pure/curl-line.js';
import { restTwin, valuesIn } from '../../../translation/pure/rest-twin.js';
import { asCurl, graphqlSnippets, type Snippet } from '../../../translation/pure/snippets.js';
import type { About } from '../../about.js';
import { bearing, jsonOf, reach, readFile, useAbout, useAttempt } from '../api/graphql.js';
import { addressOf, origin, pathOf } from '../router.js';
import { currentKey, freshKey } from '../session/session.js';
import { Code, Problem, Select } from '../ui/controls.js';
import { type ElementFix, loadFile, setAttributes, Tool } from '../ui/tool.js';

declare global {
  /** What Scalar's script leaves on the page. */
  var Scalar: { createApiReference(place: Element, configuration: object): void } | undefined;
}

/** The REST reference, made by Scalar from the description of the endpoints. Calls carry the key of all pages. */
export const DocsPage = () => (
  <>
    <TranslateBox />
    <Tool name="the reference" className="reference embedded" lines={8} open={openReference} fixes={referenceFixes} />
  </>
);

async function openReference(place: Element): Promise<void> {
  const [content] = await Promise.all([withOperations(), loadFile(SCALAR_FILES.js)]);
  globalThis.Scalar?.createApiReference(place, { ...configuration(), content });
  // Scalar draws only after it has read the description, some time after the call.
  await new Promise<void>((resolve) => {
    const drawing = new MutationObserver(() => {
      if (!place.querySelector('h1')) return;
      drawing.disconnect();
      resolve();
    });
    drawing.observe(place, { childList: true, subtree: true });
  });
}

interface Described {
  paths: Record<string, Record<string, { operationId: string; description?: string; 'x-codeSamples'?: object[] }>>;
}

/** The description with the GraphQL operation of each call, and a link that opens it in GraphiQL. */
async function withOperations(): Promise<Described> {
  const [description, documents] = await Promise.all([
    readFile<Described>('openapi.json'),
    readFile<Record<string, string>>('operations.json'),
  ]);
  for (const call of Object.values(description.paths).flatMap((methods) => Object.values(methods))) {
    const { operationId: name, description: text } = call;
    call['x-codeSamples'] = [{ lang: 'graphql', label: 'GraphQL', source: documents[name] }];
    const link = `In GraphQL: \`${name}\` ([open in GraphiQL](${pathOf('graphql')}#operation=${name})).`;
    call.description = text ? `${text}\n\n${link}` : link;
  }
  return description;
}

/** Nothing is loaded from, sent to or asked of anybody but the gateway, and the key is not written to the disk. */
function configuration() {
  const given = currentKey() ?? '';
  return {
    /** A token that was renewed since is sent in the place of the one that the reference knows. */
    onBeforeRequest: async ({ request: { headers } }: { request: Request }) => {
      if (given && headers.get('Authorization') === `Bearer ${given}`)
        headers.set('Authorization', `Bearer ${(await freshKey()) ?? given}`);
    },
    baseServerURL: addressOf(''),
    withDefaultFonts: false,
    telemetry: false,
    persistAuth: false,
    hideClientButton: true,
    showDeveloperTools: 'never',
    agent: { disabled: true },
    mcp: { disabled: true },
    theme: 'default',
    // The areas are drawn closed: the calls of an open one take longer to draw than all the rest.
    defaultOpenFirstTag: false,
    authentication: {
      preferredSecurityScheme: 'apiKey',
      securitySchemes: { apiKey: { token: given } },
    },
  };
}

/** What the newest Scalar that runs on Node 20 leaves out. Its later versions have most of it. */
const referenceFixes: readonly ElementFix[] = [
  { of: 'button[role="search"], button[role="none"]', fix: (button) => setAttributes(button, { role: null }) },
  {
    of: '[class*="group/copy-button"]:not([aria-label])',
    fix: (button) => setAttributes(button, { 'aria-label': 'Copy' }),
  },
  {
    // It names an element that is not there.
    of: '[class*="group/copy-button"][aria-controls]',
    fix: (button) => setAttributes(button, { 'aria-controls': null }),
  },
  {
    // A button of the sidebar is no option of a list: it leads to the part that is shown.
    of: 'button[aria-selected]:not([role])',
    fix: (button) => {
      const isShown = button.getAttribute('aria-selected') === 'true';
      setAttributes(button, { 'aria-selected': null, 'aria-current': isShown ? 'true' : null });
    },
  },
  {
    // It shows "Show More" and is called otherwise, so nobody can press it by voice.
    of: 'button.show-more[aria-label^="Show all"]',
    fix: (button) => setAttributes(button, { 'aria-label': `${textOf(button)}: ${labelOf(button)}` }),
  },
  { of: 'ul.endpoints:not([tabindex])', fix: (list) => setAttributes(list, { tabindex: '0' }) },
  {
    of: '.cm-scroller[tabindex="-1"]:not(:has([contenteditable="true"]))',
    fix: (code) => setAttributes(code, { tabindex: '0' }),
  },
  {
    // It opens a list of further tabs.
    of: '[role="tablist"] button:not([role])',
    fix: (button) => setAttributes(button, { role: 'tab', 'aria-label': textOf(button) || 'More' }),
  },
  {
    of: 'tr [role="textbox"]',
    fix: (field) => setAttributes(field, { 'aria-label': `Value ${rowOf(field)}` }),
  },
  {
    of: '[role="textbox"]:not(tr *, [aria-label], [aria-labelledby])',
    fix: (field) => setAttributes(field, { 'aria-label': 'Body' }),
  },
  {
    of: 'tr input[type="checkbox"]',
    fix: (box) => setAttributes(box, { 'aria-label': `Send ${rowOf(box)}` }),
  },
];

const textOf = (element: Element): string => element.textContent?.trim() ?? '';

const labelOf = (button: Element): string => button.getAttribute('aria-label')?.replace('Show all ', '') ?? '';

/** The name of the parameter or header of the row. */
const rowOf = (element: Element): string => element.closest('tr')?.id || 'of this row';

/** Turns a pasted line of curl into GraphQL, and an operation of GraphQL into a line of curl. */
function TranslateBox() {
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
        <div className="action-bar">
          <button type="submit" className="main">
            Translate
          </button>
          <a href={pathOf('docs/usage')}>Who still calls what</a>
        </div>
        <Problem id={`${id}-problem`}>{problem}</Problem>
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
      <div className="action-bar">
        {snippets.length > 1 && (
          <Select
            label="Language"
            value={language}
            options={snippets.map((snippet) => [snippet.language, snippet.language] as const)}
            onChange={setLanguage}
          />
        )}
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
