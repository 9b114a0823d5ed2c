import { useEffect, useMemo } from 'react';
import { createHashRouter, Link, Navigate, Outlet, useMatch } from 'react-router';
import { useQuery } from 'urql';
import { HiddenFields, hiddenFrom } from './api/hidden.js';
import { readViewer } from './api/operations.js';
import { troubleOf } from './api/trouble.js';
import { RepairPage } from './document/repair-page.js';
import { RepairList } from './list/repair-list.js';
import { keptSession } from './session.js';
import { Waiting } from './waiting.js';

/** The list, or the record that the address names. */
function Desk() {
  const isList = useMatch('/') !== null;
  const [{ data, error }, readAgain] = useQuery({ query: readViewer });
  const hidden = useMemo(() => data && hiddenFrom(data), [data]);
  return (
    <>
      <nav>
        <Link className="brand" to="/">
          Repair desk
        </Link>
        <span>
          <small>{[data?.viewer?.name, ...(data?.viewer?.roles ?? [])].filter(Boolean).join(' · ')}</small>{' '}
          <Link to="/forget">Sign out</Link>
        </span>
      </nav>
      {hidden ? (
        <HiddenFields value={hidden}>
          {/* The list stays, out of sight, so that going back finds its filter and its page. */}
          <div hidden={!isList}>
            <RepairList isShown={isList} />
          </div>
          <Outlet />
        </HiddenFields>
      ) : (
        <main>
          <Waiting what="The desk" trouble={error && troubleOf(error).message} onRetry={readAgain} />
        </main>
      )}
    </>
  );
}

/** Forgets the session, and with the page all that was read with it. The provider still knows the person. */
function Forget() {
  useEffect(() => {
    keptSession.forget();
    location.replace(location.pathname);
  }, []);
  return null;
}

export const router = createHashRouter([
  {
    element: <Desk />,
    children: [
      { path: '/', element: null },
      { path: '/new', element: <RepairPage key="new" /> },
      { path: '/repairs/:id', element: <RepairPage key="known" /> },
      { path: '/forget', element: <Forget /> },
      { path: '*', element: <Navigate to="/" replace /> },
    ],
  },
]);
