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
import { Empty, Loading, Trouble } from './ui/notice.js';
import { useTitle } from './ui/title.js';
import { UsagePage } from './usage/usage-page.js';

const queries = new QueryClient({
  defaultOptions: { queries: { retry: false, refetchOnWindowFocus: false, staleTime: 10_000 } },
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

function pageOf([page, ...rest]: string[]): { title?: string; content: ReactNode; isWide?: boolean } {
  switch (page) {
    case undefined:
      return { title: '', content: <Overview /> };
    case 'schema':
      return { title: 'Map', content: <MapPage model={rest[0]} /> };
    case 'records':
      return { content: <RecordsPage slug={rest[0]} id={rest[1]} /> };
    case 'docs':
      if (rest[0] === 'usage') return { title: 'Usage', content: <UsagePage /> };
      return { title: 'REST', content: <DocsPage />, isWide: true };
    case 'graphql':
      return { title: 'GraphiQL', content: <GraphiqlPage />, isWide: true };
    default:
      return { title: 'Not here', content: <Empty title={`There is no page at /${[page, ...rest].join('/')}.`} /> };
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
