import { addressOf } from '../addresses.js';
import { jsonOf, reach } from '../api/reach.js';
import { loadFile } from '../ui/load-file.js';
import { fetcher } from './fetcher.js';
import { lastTab } from './last-tab.js';
import { loadSchemaEarly } from './load-schema.js';
import { tabs } from './tabs.js';

/** What GraphiQL's script leaves on the page. */
interface YogaGraphiql {
  renderYogaGraphiQL(place: Element, options: object): void;
}

declare global {
  var YogaGraphiQL: YogaGraphiql | undefined;
  var MonacoEnvironment: object | undefined;
}

const workers: Record<string, keyof typeof GRAPHIQL_FILES> = {
  editorWorkerService: 'editorWorkerService',
  graphql: 'graphqlWorker',
  json: 'jsonWorker',
};

let files: Promise<unknown> | undefined;

/** Loads the files of GraphiQL. They hold nothing that needs a key, so they can be there before one is. */
export function loadGraphiql(): Promise<unknown> {
  files ??= Promise.all([loadFile(GRAPHIQL_FILES.css), loadFile(GRAPHIQL_FILES.js)]);
  return files;
}

/** Loads GraphiQL into `place`, with tabs that teach, or with the operation that the address names. */
export async function openGraphiql(place: Element, history: boolean): Promise<void> {
  globalThis.MonacoEnvironment = {
    globalAPI: false,
    getWorkerUrl: (_module: string, label: string) => fileOf(workers[label] ?? 'editorWorkerService'),
  };
  loadSchemaEarly();
  await loadGraphiql();
  const asked = await askedFor(new URLSearchParams(location.hash.slice(1) || location.search));
  globalThis.YogaGraphiQL?.renderYogaGraphiQL(place, {
    title: 'GraphiQL',
    logo: ' ',
    fetcher,
    defaultTabs: [...(asked ? [asked] : []), ...tabs(history)],
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
  const response = await reach(addressOf(`operations/${encodeURIComponent(name)}.json`));
  if (!response.ok) return undefined;
  const { document, variables } = await jsonOf<{ document: string; variables: object }>(response);
  return { query: document, variables: JSON.stringify(variables, null, 2) };
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
