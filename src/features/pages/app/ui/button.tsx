import type { ComponentProps, MouseEvent } from 'react';
import { Icon, type IconName } from './icon.js';
import { Tooltip } from './tooltip.js';

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
