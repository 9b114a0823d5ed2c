import { useEffect, useRef, useState } from 'react';
import { useAbout } from '../api/about.js';
import { NeedsKey } from '../session/needs-key.js';
import { onSession } from '../session/session.js';
import { keepFixed } from '../ui/element-fix.js';
import { Empty, Loading, Trouble } from '../ui/notice.js';
import { graphiqlFixes } from './graphiql-fixes.js';
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
