/** The app of the pages. Importing the session first takes a key out of the address before anything else happens. */
import { onSession } from './session/session.js';
import './styles/index.css';
import { CSPProvider } from '@base-ui/react/csp-provider';
import { notifyManager, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { Component, type ReactNode, Suspense } from 'react';
import { createRoot } from 'react-dom/client';
import { readWithKey } from './api/graphql.js';
import { useAddress, useTitle } from './router.js';
import { Search } from './search/search.js';
import { afterPress } from './ui/after-press.js';
import { Loading, Trouble } from './ui/controls.js';
import { Confirm } from './ui/dialog.js';
import { Header, NotHere } from './ui/header.js';
import { later } from './ui/later.js';
import { Toasts } from './ui/toast.js';

/** Each page is a script of its own, which its document names in its head (pages.ts). */
const Overview = later(async () => (await import('./overview/overview.js')).Overview);
const MapPage = later(async () => (await import('./map/map-page.js')).MapPage);
const RecordsPage = later(async () => (await import('./records/list/records-page.js')).RecordsPage);
const DocsPage = later(async () => (await import('./docs/docs-page.js')).DocsPage);
const UsagePage = later(async () => (await import('./usage/usage-page.js')).UsagePage);
const GraphiqlPage = later(async () => (await import('./graphiql/graphiql-page.js')).GraphiqlPage);
const SignedInPage = later(async () => (await import('./session/sign-in.js')).SignedInPage);

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
notifyManager.setScheduler(afterPress);
// Data that was read with one key must not be shown to the next one.
onSession(() => queries.removeQueries(readWithKey));

function App() {
  const { parts } = useAddress();
  const page = pageOf(parts);
  useTitle(page.title);

  return (
    // The policy of the pages takes no style elements.
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={queries}>
        <a className="skip" href="#main">
          Skip to the content
        </a>
        <Header current={parts[0] ?? ''}>
          <Catch key={parts.join('/')}>
            <Search />
          </Catch>
        </Header>
        <main id="main" tabIndex={-1} className={page.width}>
          <Catch key={parts[0]}>
            <Suspense fallback={<Loading />}>{page.content}</Suspense>
          </Catch>
        </main>
        <Confirm />
        <Toasts />
      </QueryClientProvider>
    </CSPProvider>
  );
}

interface Page {
  title?: string;
  content: ReactNode;
  /** The whole window, without a margin. */
  width?: 'wide';
}

/** The pages that the gateway serves, by the same addresses. */
function pageOf(parts: string[]): Page {
  const missing = { title: 'Not here', content: <NotHere parts={parts} /> };
  if (parts.includes('')) return missing;
  const [name, one, two] = parts;
  switch (`${name ?? ''} ${parts.length}`) {
    case ' 0':
      return { title: '', content: <Overview /> };
    case 'signed-in 1':
      return { title: 'Sign in', content: <SignedInPage /> };
    case 'schema 1':
    case 'schema 2':
      return { title: 'Map', content: <MapPage model={one} /> };
    case 'records 1':
    case 'records 2':
    case 'records 3':
      return { content: <RecordsPage slug={one} id={two} /> };
    case 'docs 1':
      return { title: 'REST', content: <DocsPage />, width: 'wide' };
    case 'docs 2':
      return one === 'usage' ? { title: 'Usage', content: <UsagePage /> } : missing;
    case 'graphql 1':
      return { title: 'GraphiQL', content: <GraphiqlPage />, width: 'wide' };
    default:
      return missing;
  }
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
