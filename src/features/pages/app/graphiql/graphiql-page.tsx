import { createClient } from 'graphql-sse';
import { askAll, bearing, endpoint, jsonOf, post, reach, readFile, useAbout } from '../api/graphql.js';
import { freshKey } from '../session/session.js';
import { NeedsKey } from '../session/sign-in.js';
import { Empty } from '../ui/controls.js';
import { type ElementFix, loadFile, setAttributes, Tool } from '../ui/tool.js';
import { liveTab, tabs } from './tabs.js';

/** GraphiQL. The head of its page names its files, so they are there before a key is; the schema is loaded when there is one. */
export function GraphiqlPage() {
  const { graphiql, history } = useAbout();
  if (!graphiql) {
    return (
      <Empty title="Only known operations are executed here.">
        <p>
          The setting <code>TRUSTED_DOCUMENTS</code> names them, so GraphiQL cannot run what is typed into it.
        </p>
      </Empty>
    );
  }
  return (
    <NeedsKey reason="GraphiQL loads the schema and runs operations in your name.">
      {() => (
        <div className="graphiql">
          <Tool
            name="GraphiQL"
            className="embedded"
            lines={6}
            open={history ? openWithHistory : openGraphiql}
            fixes={graphiqlFixes}
          />
        </div>
      )}
    </NeedsKey>
  );
}

const stopHere = (event: Event) => event.stopPropagation();

/**
 * Tabs can be dragged, but the library that drags them moves each to the right end at its next press, whenever the window or a
 * font has changed the width of the row. The tab is then no longer under the mouse, and does not open. So they stay in place:
 * no press reaches that library. `tools.css` keeps the focus from moving them.
 *
 * Within each tab of GraphiQL there is a button that shows it and one that closes it, and no tab may hold a button. So
 * they become what they are: a list of buttons, of which one is current.
 */
const graphiqlFixes: readonly ElementFix[] = [
  {
    of: '.graphiql-tabs[role="tablist"]',
    fix: (tabs) => setAttributes(tabs, { role: null, 'aria-label': 'Operations' }),
  },
  { of: 'li.graphiql-tab', fix: (tab) => tab.addEventListener('pointerdown', stopHere, true) },
  { of: 'li.graphiql-tab[role="tab"]', fix: (tab) => setAttributes(tab, { role: null }) },
  {
    of: 'li.graphiql-tab[aria-selected]',
    fix: (tab) => {
      const isShown = tab.getAttribute('aria-selected') === 'true';
      tab.removeAttribute('aria-selected');
      for (const button of tab.querySelectorAll('.graphiql-tab-button'))
        setAttributes(button, { 'aria-current': isShown ? 'true' : null });
    },
  },
];

declare global {
  /** What GraphiQL's script leaves on the page. */
  var YogaGraphiQL: { renderYogaGraphiQL(place: Element, options: object): void } | undefined;
  var MonacoEnvironment: object | undefined;
}

const workers: Record<string, keyof typeof GRAPHIQL_FILES> = {
  editorWorkerService: 'editorWorkerService',
  graphql: 'graphqlWorker',
  json: 'jsonWorker',
};

const openWithHistory = (place: Element) => openGraphiql(place, [...tabs, liveTab]);

/** Loads GraphiQL into `place`, with tabs that teach, or with the operation that the address names. */
async function openGraphiql(place: Element, defaultTabs = tabs): Promise<void> {
  globalThis.MonacoEnvironment = {
    globalAPI: false,
    getWorkerUrl: (_module: string, label: string) => fileOf(workers[label] ?? 'editorWorkerService'),
  };
  early = loadSchema();
  // The first introspection gets the error.
  early.catch(() => undefined);
  await Promise.all([loadFile(GRAPHIQL_FILES.css), loadFile(GRAPHIQL_FILES.js)]);
  const asked = await askedFor(new URLSearchParams(location.hash.slice(1) || location.search));
  globalThis.YogaGraphiQL?.renderYogaGraphiQL(place, {
    title: 'GraphiQL',
    logo: ' ',
    fetcher,
    defaultTabs: [...(asked ? [asked] : []), ...defaultTabs],
    ...(asked ?? lastTab()),
    defaultEditorToolsVisibility: 'variables',
    // What is typed into the headers is not written to the disk.
    shouldPersistHeaders: false,
    // The address stays as it is: by itself GraphiQL writes each key that is pressed into it.
    onEditQuery: () => undefined,
  });
}

/**
 * The operation that the address holds, `?query=…&variables=…`, or behind `#`, where no server sees it, or names:
 * `#operation=AssetRepairList`, the operation of an endpoint of REST, with the variables of its example.
 */
async function askedFor(search: URLSearchParams) {
  const operation = search.get('operation');
  if (operation) return ofEndpoint(operation);
  const query = search.get('query');
  return query ? { query, variables: readable(search.get('variables')) } : undefined;
}

async function ofEndpoint(name: string) {
  const path = `operations/${encodeURIComponent(name)}.json`;
  const found = await readFile<{ document: string; variables: object }>(path).catch(() => undefined);
  return found && { query: found.document, variables: JSON.stringify(found.variables, null, 2) };
}

const fileOf = (part: keyof typeof GRAPHIQL_FILES): string => new URL(GRAPHIQL_FILES[part], import.meta.url).href;

/** JSON with line breaks; the text itself where it is none. */
function readable(json: string | null): string | undefined {
  if (!json) return undefined;
  try {
    return JSON.stringify(JSON.parse(json), null, 2);
  } catch {
    return json;
  }
}

/**
 * The tab that was open before a reload. GraphiQL keeps its tabs (the operations, neither headers nor answers), but opens
 * an empty one in addition, unless it is told which of them to begin with.
 */
function lastTab(): { query?: string; variables?: string } {
  try {
    const kept: { activeTabIndex: number; tabs: Record<'query' | 'variables', string | null>[] } = JSON.parse(
      localStorage.getItem('graphiql:tabState') ?? '',
    );
    const { query, variables } = kept.tabs[kept.activeTabIndex] ?? {};
    return { query: query ?? undefined, variables: variables ?? undefined };
  } catch {
    return {};
  }
}

interface Parameters {
  query: string;
  operationName?: string | null;
  variables?: Record<string, unknown> | null;
}

/** How GraphiQL asks the gateway: with the key of all pages. `headers` are what is typed into the tab of this name. */
async function fetcher(given: Parameters, { headers = {} }: { headers?: Record<string, string> } = {}) {
  if (given.operationName === 'IntrospectionQuery') {
    const schema = early ?? loadSchema();
    early = undefined;
    return schema;
  }
  const { kind, name } = operationOf(given);
  const parameters = { ...given, operationName: name };
  const key = await freshKey();
  const sent = { ...(key !== undefined && bearing(key)), ...headers };
  if (kind === 'subscription') return subscribe(parameters, headers);
  if (key !== undefined && needsDraft(parameters)) {
    const id = await newestDraft();
    if (!id) return { errors: [{ message: 'There is no draft to do this with. Run the tab CreateWithLines first.' }] };
    return run({ ...parameters, variables: { ...parameters.variables, id } }, sent);
  }
  return run(parameters, sent);
}

const run = async (parameters: Parameters, headers: Record<string, string>): Promise<unknown> =>
  jsonOf(await post(JSON.stringify(parameters), headers));

/** Each connection has the token of its time. */
function subscribe(parameters: Parameters, typed: Record<string, string>) {
  const headers = async () => ({ ...bearing((await freshKey()) ?? ''), ...typed });
  const client = createClient({ url: endpoint, headers, retryAttempts: 3, fetchFn: fetchStream });
  const { query, operationName, variables } = parameters;
  return client.iterate({ query, operationName: operationName ?? undefined, variables: variables ?? undefined });
}

/**
 * A refusal is shown like that of every other operation, as the only event of a stream that ends at once: the client would
 * ask for the stream again and again, and say nothing meanwhile. What the gateway cannot do now is asked for again.
 */
async function fetchStream(address: string, init: RequestInit): Promise<Response> {
  const response = await reach(address, init);
  if (response.ok || response.status >= 500) return response;
  const refusal = JSON.stringify(await jsonOf(response));
  const headers = { 'Content-Type': 'text/event-stream' };
  return new Response(`event: next\ndata: ${refusal}\n\nevent: complete\ndata:\n\n`, { headers });
}

/**
 * The operation that runs. GraphiQL notices late which one is in the editor: just after a tab was opened it still gives
 * the name of the operation in the tab before, of which this document knows nothing. Where it holds one operation, that
 * is meant; among several, none is chosen here.
 */
function operationOf({ query, operationName }: Parameters): { kind?: string; name?: string } {
  const operations = [...query.matchAll(/\b(query|mutation|subscription)\b\s*(\w*)[^{}]*\{/g)];
  const [first, ...others] = operations;
  const [, kind, name] = operations.find(([, , each]) => each === operationName) ?? first ?? [];
  return { kind, name: others.length > 0 ? (operationName ?? undefined) : name || undefined };
}

/** The operations of the tabs that need a draft to work on. Their text says where the id comes from. */
const operations = ['SubmitRepair', 'SaveRepair', 'StaleSave'];

/** Whether an operation of a tab is run without an id, which is then that of the newest draft. */
const needsDraft = ({ query, operationName, variables }: Parameters): boolean =>
  operations.includes(operationName ?? '') && query.includes('newest draft') && !variables?.id;

async function newestDraft(): Promise<string | undefined> {
  const query = '{ assetRepairs(first: 1, where: { status: { eq: DRAFT } }) { nodes { id } } }';
  const { assetRepairs } = await askAll<{ assetRepairs: { nodes: { id: string }[] } }>({ query });
  return assetRepairs.nodes[0]?.id;
}

/** The whole schema. The browser keeps it, and only asks whether it is still the same. */
const loadSchema = () => readFile<unknown>('pages/introspection.json');

/** The schema, loaded while the script is. It counts once: who asks again has to get the present one. */
let early: Promise<unknown> | undefined;
