import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { jsonOf, reach, useAbout } from '../api/about.js';
import { addressOf, pathOf } from '../router.js';
import { currentSession, onSession, useKey } from '../session/session.js';
import { Code, Loading, Trouble, wordsFor } from '../ui/controls.js';
import { type ElementFix, keepFixed, setAttributes } from '../ui/element-fix.js';
import { loadFile } from '../ui/load-file.js';
import { type Translation, translate } from './translate.js';

/** What Scalar's script leaves on the page. */
interface ScalarScript {
  createApiReference(place: Element, configuration: object): void;
}

declare global {
  var Scalar: ScalarScript | undefined;
}

/** The REST reference, made by Scalar from the description of the endpoints. Calls carry the key of all pages. */
export function DocsPage() {
  const place = useRef<HTMLDivElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  const [error, setError] = useState<unknown>();

  useEffect(() => keepFixed(referenceFixes), []);
  useEffect(() => {
    const element = place.current;
    if (!element) return;
    const open = async () => {
      const [content] = await Promise.all([withOperations(), loadFile(SCALAR_FILES.js)]);
      globalThis.Scalar?.createApiReference(element, { ...configuration(), content });
    };
    // Scalar draws only after it has read the description, some time after the call.
    const drawing = new MutationObserver(() => {
      if (!element.querySelector('h1')) return;
      setIsOpen(true);
      drawing.disconnect();
    });
    drawing.observe(element, { childList: true, subtree: true });
    open().catch(setError);
    // Scalar holds the key it began with.
    const forget = onSession(() => location.reload());
    return () => {
      forget();
      drawing.disconnect();
    };
  }, []);

  if (error) return <Trouble error={error} retry={() => location.reload()} />;
  return (
    <>
      <TranslateBox />
      {!isOpen && <Loading lines={8} what="Loading the reference" />}
      <div ref={place} className="reference embedded" />
    </>
  );
}

interface Described {
  paths: Record<string, Record<string, { operationId: string; description?: string; 'x-codeSamples'?: object[] }>>;
}

/** The description with the GraphQL operation of each call, and a link that opens it in GraphiQL. */
async function withOperations(): Promise<Described> {
  const read = async <Body,>(path: string) => jsonOf<Body>(await reach(addressOf(path)));
  const [description, documents] = await Promise.all([
    read<Described>('openapi.json'),
    read<Record<string, string>>('operations.json'),
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
  const session = currentSession();
  return {
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
      securitySchemes: { apiKey: { token: session.status === 'in' ? session.key : '' } },
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
  const key = useKey();
  const id = useId();
  const [text, setText] = useState('');
  const [found, setFound] = useState<Translation>();
  const [problem, setProblem] = useState<string>();

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setFound(undefined);
    setProblem(undefined);
    try {
      setFound(await translate(text, about, key));
    } catch (error) {
      setProblem(wordsFor(error));
    }
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
