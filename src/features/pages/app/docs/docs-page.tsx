import { useEffect, useRef, useState } from 'react';
import { addressOf, pathOf } from '../addresses.js';
import { jsonOf, reach } from '../api/reach.js';
import { currentSession, onSession } from '../session/session.js';
import { keepFixed } from '../ui/element-fix.js';
import { loadFile } from '../ui/load-file.js';
import { Loading, Trouble } from '../ui/notice.js';
import { referenceFixes } from './reference-fixes.js';
import { TranslateBox } from './translate-box.js';

/** What Scalar's script leaves on the page. */
interface ScalarScript {
  createApiReference(place: Element, configuration: object): void;
}

declare global {
  var Scalar: ScalarScript | undefined;
}

/** The REST reference, made by Scalar from the description of the endpoints. Calls carry the key of all pages. */
export function DocsPage() {
  const place = useRef<HTMLDivElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  const [error, setError] = useState<unknown>();

  useEffect(() => keepFixed(referenceFixes), []);
  useEffect(() => {
    const element = place.current;
    if (!element) return;
    const open = async () => {
      const [content] = await Promise.all([withOperations(), loadFile(SCALAR_FILES.js)]);
      globalThis.Scalar?.createApiReference(element, { ...configuration(), content });
    };
    // Scalar draws only after it has read the description, some time after the call.
    const drawing = new MutationObserver(() => {
      if (!element.querySelector('h1')) return;
      setIsOpen(true);
      drawing.disconnect();
    });
    drawing.observe(element, { childList: true, subtree: true });
    open().catch(setError);
    // Scalar holds the key it began with.
    const forget = onSession(() => location.reload());
    return () => {
      forget();
      drawing.disconnect();
    };
  }, []);

  if (error) return <Trouble error={error} retry={() => location.reload()} />;
  return (
    <>
      <TranslateBox />
      {!isOpen && <Loading lines={8} what="Loading the reference" />}
      <div ref={place} className="reference embedded" />
    </>
  );
}

interface Described {
  paths: Record<string, Record<string, { operationId: string; description?: string; 'x-codeSamples'?: object[] }>>;
}

/** The description with the GraphQL operation of each call, and a link that opens it in GraphiQL. */
async function withOperations(): Promise<Described> {
  const read = async <Body,>(path: string) => jsonOf<Body>(await reach(addressOf(path)));
  const [description, documents] = await Promise.all([
    read<Described>('openapi.json'),
    read<Record<string, string>>('operations.json'),
  ]);
  for (const call of Object.values(description.paths).flatMap((methods) => Object.values(methods))) {
    const { operationId: name, description: text } = call;
    call['x-codeSamples'] = [{ lang: 'graphql', label: 'GraphQL', source: documents[name] }];
    const link = `In GraphQL: \`${name}\` ([open in GraphiQL](${pathOf('graphql')}#operation=${name})).`;
    call.description = text ? `${text}\n\n${link}` : link;
  }
  return description;
}

/** Nothing is loaded from, sent to or asked of anybody but the gateway, and the key is not written to the disk. */
function configuration() {
  const session = currentSession();
  return {
    baseServerURL: addressOf(''),
    withDefaultFonts: false,
    telemetry: false,
    persistAuth: false,
    hideClientButton: true,
    showDeveloperTools: 'never',
    agent: { disabled: true },
    mcp: { disabled: true },
    theme: 'default',
    // The areas are drawn closed: the calls of an open one take longer to draw than all the rest.
    defaultOpenFirstTag: false,
    authentication: {
      preferredSecurityScheme: 'apiKey',
      securitySchemes: { apiKey: { token: session.status === 'in' ? session.key : '' } },
    },
  };
}
