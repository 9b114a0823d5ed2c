import { Menu as Base } from '@base-ui/react/menu';
import { Button, type ButtonProps } from './button.js';
import { Icon, type IconName } from './icon.js';
import { over } from './over.js';

export interface MenuItem {
  words: string;
  icon?: IconName;
  isDanger?: boolean;
  /** Why it cannot be chosen now; shown below its words. */
  reason?: string | undefined;
  onSelect(): void;
}

interface MenuProps extends Omit<ButtonProps, 'reason' | 'onSelect'> {
  items: readonly MenuItem[];
}

/** A button that opens a list of things to do: arrows and first letters move in it, Escape closes it. */
export function Menu({ items, ...button }: MenuProps) {
  return (
    <Base.Root>
      <Base.Trigger render={<Button {...button} />} />
      <Base.Portal container={over()}>
        <Base.Positioner sideOffset={4} align="end" className="floating">
          <Base.Popup className="menu">
            {items.map(({ words, icon, isDanger, reason, onSelect }) => (
              <Base.Item
                key={words}
                className={isDanger ? 'menu-item danger' : 'menu-item'}
                disabled={reason !== undefined}
                onClick={onSelect}
              >
                {icon && <Icon name={icon} />}
                <span>
                  {words}
                  {reason && <small>{reason}</small>}
                </span>
              </Base.Item>
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
