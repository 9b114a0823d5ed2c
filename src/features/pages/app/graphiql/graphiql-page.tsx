import { useEffect, useRef, useState } from 'react';
import { useAbout } from '../api/about.js';
import { onSession } from '../session/session.js';
import { NeedsKey } from '../session/sign-in.js';
import { Empty, Loading, Trouble } from '../ui/controls.js';
import { type ElementFix, keepFixed, setAttributes } from '../ui/element-fix.js';
import { loadGraphiql, openGraphiql } from './open-graphiql.js';

/** GraphiQL. Its files are loaded while somebody looks for the key; the schema when there is one. */
export function GraphiqlPage() {
  const about = useAbout();
  useEffect(() => {
    // The editor shows an error if that fails.
    if (about.graphiql) loadGraphiql().catch(() => undefined);
  }, [about.graphiql]);
  if (!about.graphiql) {
    return (
      <Empty title="Only known operations are executed here.">
        <p>
          The setting <code>TRUSTED_DOCUMENTS</code> names them, so GraphiQL cannot run what is typed into it.
        </p>
      </Empty>
    );
  }
  return (
    <NeedsKey reason="GraphiQL loads the schema and runs operations with it.">
      {() => <Editor history={about.history} />}
    </NeedsKey>
  );
}

function Editor({ history }: { history: boolean }) {
  const place = useRef<HTMLDivElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  const [error, setError] = useState<unknown>();

  useEffect(() => keepFixed(graphiqlFixes), []);
  useEffect(() => {
    if (!place.current) return;
    openGraphiql(place.current, history).then(() => setIsOpen(true), setError);
    // GraphiQL keeps answers that the next key may not read.
    return onSession(() => location.reload());
  }, [history]);

  if (error) return <Trouble error={error} retry={() => location.reload()} />;
  return (
    <div className="graphiql">
      {!isOpen && <Loading lines={6} what="Loading GraphiQL" />}
      <div ref={place} className="embedded" />
    </div>
  );
}

const stopHere = (event: Event) => event.stopPropagation();

/**
 * Tabs can be dragged, but the library that drags them moves each to the right end at its next press, whenever the window or a
 * font has changed the width of the row. The tab is then no longer under the mouse, and does not open. So they stay in place:
 * no press reaches that library. `tools.css` keeps the focus from moving them.
 *
 * Within each tab of GraphiQL there is a button that shows it and one that closes it, and no tab may hold a button. So
 * they become what they are: a list of buttons, of which one is current.
 */
const graphiqlFixes: readonly ElementFix[] = [
  {
    of: '.graphiql-tabs[role="tablist"]',
    fix: (tabs) => setAttributes(tabs, { role: null, 'aria-label': 'Operations' }),
  },
  { of: 'li.graphiql-tab', fix: (tab) => tab.addEventListener('pointerdown', stopHere, true) },
  { of: 'li.graphiql-tab[role="tab"]', fix: (tab) => setAttributes(tab, { role: null }) },
  {
    of: 'li.graphiql-tab[aria-selected]',
    fix: (tab) => {
      const isShown = tab.getAttribute('aria-selected') === 'true';
      tab.removeAttribute('aria-selected');
      for (const button of tab.querySelectorAll('.graphiql-tab-button'))
        setAttributes(button, { 'aria-current': isShown ? 'true' : null });
    },
  },
];
