import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { Component, type ReactNode, Suspense } from 'react';
import { DocsPage } from './docs/docs-page.js';
import { GraphiqlPage } from './graphiql/graphiql-page.js';
import { MapPage } from './map/map-page.js';
import { Overview } from './overview/overview.js';
import { RecordsPage } from './records/records-page.js';
import { usePlace } from './router.js';
import { onSession } from './session/session.js';
import { Header } from './ui/header.js';
import { NotHere } from './ui/not-here.js';
import { Loading, Trouble } from './ui/notice.js';
import { useTitle } from './ui/title.js';
import { UsagePage } from './usage/usage-page.js';

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      retry: false,
      refetchOnWindowFocus: false,
      staleTime: 10_000,
      // A gateway on this machine answers without a network. Elsewhere, whoever has none is told so, and does not wait.
      networkMode: 'always',
      refetchOnReconnect: true,
    },
  },
});
// What one key has read is not for the next.
onSession(() => queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'about' }));

export function App() {
  const { parts } = usePlace();
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

/** The pages that the gateway serves, by the same addresses. */
function knownPage([page, ...rest]: string[]): Page | undefined {
  const [first, second] = rest;
  if (rest.includes('')) return undefined;
  switch (`${page ?? ''} ${rest.length}`) {
    case ' 0':
      return { title: '', content: <Overview /> };
    case 'schema 0':
    case 'schema 1':
      return { title: 'Map', content: <MapPage model={first} /> };
    case 'records 0':
    case 'records 1':
    case 'records 2':
      return { content: <RecordsPage slug={first} id={second} /> };
    case 'docs 0':
      return { title: 'REST', content: <DocsPage />, isWide: true };
    case 'docs 1':
      return first === 'usage' ? { title: 'Usage', content: <UsagePage /> } : undefined;
    case 'graphql 0':
      return { title: 'GraphiQL', content: <GraphiqlPage />, isWide: true };
    default:
      return undefined;
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
