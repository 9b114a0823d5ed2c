/** The app of the pages. Importing the session first takes a key out of the address before anything else happens. */
import { currentSession, onSession } from './session/session.js';
import './styles/index.css';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { Component, type ReactNode, Suspense } from 'react';
import { createRoot } from 'react-dom/client';
import { DocsPage } from './docs/docs-page.js';
import { GraphiqlPage } from './graphiql/graphiql-page.js';
import { loadGraphiql, loadSchemaEarly } from './graphiql/open-graphiql.js';
import { MapPage } from './map/map-page.js';
import { Overview } from './overview/overview.js';
import { RecordsPage } from './records/records-page.js';
import { pathOf, useAddress } from './router.js';
import { Loading, Trouble } from './ui/controls.js';
import { Header, NotHere } from './ui/header.js';
import { useTitle } from './ui/page.js';
import { UsagePage } from './usage/usage-page.js';

// GraphiQL and its schema are large: they are loaded while the rest of the page is made. Its page shows an error if
// that fails.
if (location.pathname === pathOf('graphql') && currentSession().status === 'in') {
  loadSchemaEarly();
  loadGraphiql().catch(() => undefined);
}

const root = document.querySelector('#root');
if (root) createRoot(root).render(<App />);

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      retry: false,
      refetchOnWindowFocus: false,
      staleTime: 10_000,
      // A gateway on this machine answers without a network. A request to one elsewhere fails at once without a
      // network, instead of waiting.
      networkMode: 'always',
      refetchOnReconnect: true,
    },
  },
});
// Data that was read with one key must not be shown to the next one.
onSession(() => queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'about' }));

function App() {
  const { parts } = useAddress();
  const page = pageOf(parts);
  useTitle(page.title);

  return (
    <QueryClientProvider client={queries}>
      <a className="skip" href="#main">
        Skip to the content
      </a>
      <Header current={parts[0] ?? ''} />
      <main id="main" tabIndex={-1} className={page.isWide ? 'wide' : undefined}>
        <Catch key={parts[0]}>
          <Suspense fallback={<Loading />}>{page.content}</Suspense>
        </Catch>
      </main>
    </QueryClientProvider>
  );
}

interface Page {
  title?: string;
  content: ReactNode;
  isWide?: boolean;
}

const pageOf = (parts: string[]): Page =>
  knownPage(parts) ?? { title: 'Not here', content: <NotHere parts={parts} isPage={(other) => !!knownPage(other)} /> };

interface Route {
  path: string;
  page(variables: Record<string, string>): Page;
}

/** The pages that the gateway serves, by the same addresses. A part that begins with a colon stands for any text. */
const routes: Route[] = [
  { path: '', page: () => ({ title: '', content: <Overview /> }) },
  { path: 'schema', page: () => ({ title: 'Map', content: <MapPage model={undefined} /> }) },
  { path: 'schema/:model', page: ({ model }) => ({ title: 'Map', content: <MapPage model={model} /> }) },
  { path: 'records', page: () => ({ content: <RecordsPage slug={undefined} id={undefined} /> }) },
  { path: 'records/:slug', page: ({ slug }) => ({ content: <RecordsPage slug={slug} id={undefined} /> }) },
  { path: 'records/:slug/:id', page: ({ slug, id }) => ({ content: <RecordsPage slug={slug} id={id} /> }) },
  { path: 'docs', page: () => ({ title: 'REST', content: <DocsPage />, isWide: true }) },
  { path: 'docs/usage', page: () => ({ title: 'Usage', content: <UsagePage /> }) },
  { path: 'graphql', page: () => ({ title: 'GraphiQL', content: <GraphiqlPage />, isWide: true }) },
];

function knownPage(parts: string[]): Page | undefined {
  for (const { path, page } of routes) {
    const variables = variablesIn(path === '' ? [] : path.split('/'), parts);
    if (variables) return page(variables);
  }
  return undefined;
}

/** The texts that stand for the variables of a route, or undefined where the address is not one of it. */
function variablesIn(route: string[], parts: string[]): Record<string, string> | undefined {
  if (route.length !== parts.length) return undefined;
  const variables: Record<string, string> = {};
  for (const [index, part] of route.entries()) {
    const text = parts[index];
    if (!text) return undefined;
    if (part.startsWith(':')) variables[part.slice(1)] = text;
    else if (part !== text) return undefined;
  }
  return variables;
}

/** Shows what went wrong in the place of a page that failed. */
class Catch extends Component<{ children: ReactNode }, { error?: unknown }> {
  override state: { error?: unknown } = {};

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override render() {
    const { error } = this.state;
    return error ? <Trouble error={error} retry={() => location.reload()} /> : this.props.children;
  }
}
