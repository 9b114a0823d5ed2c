/** The app of the pages. Importing the session first takes a key out of the address before anything else happens. */
import { currentSession } from './session/session.js';
import './styles/index.css';
import { createRoot } from 'react-dom/client';
import { pathOf } from './addresses.js';
import { App } from './app.js';
import { loadSchemaEarly } from './graphiql/load-schema.js';
import { loadGraphiql } from './graphiql/open-graphiql.js';

// GraphiQL and its schema are large: they are loaded while the rest of the page is made. Its page shows an error if
// that fails.
if (location.pathname === pathOf('graphql') && currentSession().status === 'in') {
  loadSchemaEarly();
  loadGraphiql().catch(() => undefined);
}

const root = document.querySelector('#root');
if (root) createRoot(root).render(<App />);
