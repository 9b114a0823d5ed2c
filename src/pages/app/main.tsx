/** The app of the pages. Importing the session first takes a key out of the address before anything else happens. */
import './session/session.js';
import './styles/index.css';
import { createRoot } from 'react-dom/client';
import { App } from './app.js';

const root = document.querySelector('#root');
if (root) createRoot(root).render(<App />);
