import { readFile } from '../api/graphql.js';
import { addressOf, pathOf } from '../router.js';
import { currentKey, freshKey } from '../session/session.js';
import { type ElementFix, loadFile, setAttributes, Tool } from '../ui/tool.js';
import { TranslateBox } from './translate-box.js';

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
