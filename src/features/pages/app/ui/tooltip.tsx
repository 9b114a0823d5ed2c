import { Tooltip as Base } from '@base-ui/react/tooltip';
import type { ReactElement, ReactNode } from 'react';
import { over } from './over.js';

/** Words over an element while the mouse or the keyboard is on it. What counts must be said to screen readers otherwise, too. */
export function Tooltip({ words, children }: { words: ReactNode; children: ReactElement }) {
  return (
    <Base.Root>
      <Base.Trigger delay={300} render={children} />
      <Base.Portal container={over()}>
        <Base.Positioner sideOffset={6} className="floating">
          <Base.Popup className="tooltip">{words}</Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
