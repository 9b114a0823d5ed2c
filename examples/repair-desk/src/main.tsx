import '@picocss/pico/css/pico.min.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.js';
import { arrive } from './sign-in.js';
import './styles.css';

const root = document.querySelector('#root');
const arrival = await arrive();
if (root) {
  createRoot(root).render(
    <StrictMode>
      <App arrival={arrival} />
    </StrictMode>,
  );
}
