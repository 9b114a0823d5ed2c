import { useEffect } from 'react';
import { createHashRouter, Link, Navigate, Outlet, useMatch } from 'react-router';
import { RepairPage } from './document/repair-page.js';
import { keptKey } from './kept-key.js';
import { RepairList } from './list/repair-list.js';

/** The list, or the record that the address names. */
function Desk() {
  const isList = useMatch('/') !== null;
  return (
    <>
      <nav>
        <Link className="brand" to="/">
          Repair desk
        </Link>
        <Link to="/forget">Forget the key</Link>
      </nav>
      {/* The list stays, out of sight, so that going back finds its filter and its page. */}
      <div hidden={!isList}>
        <RepairList isShown={isList} />
      </div>
      <Outlet />
    </>
  );
}

/** Forgets the key, and with the page all that was read by it. */
function Forget() {
  useEffect(() => {
    keptKey.forget();
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
