import { Tooltip as Base } from '@base-ui/react/tooltip';
import type { ComponentProps, MouseEvent, ReactElement, ReactNode } from 'react';
import { Icon, type IconName } from './icon.js';
import { over } from './over.js';

export interface ButtonProps extends ComponentProps<'button'> {
  /** `main`: what the page is about, once on a page. `quiet`: beside others. `danger`: what takes something away. */
  kind?: 'main' | 'quiet' | 'danger';
  isSmall?: boolean;
  icon?: IconName;
  /** Why it cannot be pressed now. The keyboard still reaches it, so that everybody can learn the reason. */
  reason?: string | undefined;
}

/** A button; with an icon and no words it needs an `aria-label`, which is shown as a tooltip, too. */
export function Button({ kind, isSmall, icon, reason, className, children, onClick, ...rest }: ButtonProps) {
  const press = (event: MouseEvent<HTMLButtonElement>) => {
    if (reason === undefined) onClick?.(event);
    else event.preventDefault();
  };
  const classes = [kind, isSmall && 'small', !children && 'icon-only', className].filter(Boolean).join(' ');
  const button = (
    <button
      type="button"
      {...rest}
      className={classes || undefined}
      aria-disabled={reason !== undefined || rest['aria-disabled']}
      aria-description={reason}
      onClick={press}
    >
      {icon && <Icon name={icon} />}
      {children}
    </button>
  );
  const words = reason ?? (children ? undefined : rest['aria-label']);
  return words === undefined ? button : <Tooltip words={words}>{button}</Tooltip>;
}

/** Words over an element while the mouse or the keyboard is on it. What counts must be said to screen readers otherwise, too. */
function Tooltip({ words, children }: { words: ReactNode; children: ReactElement }) {
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
