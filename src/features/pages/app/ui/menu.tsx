import { Menu as Base } from '@base-ui/react/menu';
import { Button, type ButtonProps } from './button.js';
import { Icon, type IconName } from './icon.js';
import { over } from './over.js';

export interface MenuItem {
  words: string;
  icon?: IconName;
  onSelect(): void;
}

interface MenuProps extends Omit<ButtonProps, 'reason'> {
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
            {items.map(({ words, icon, onSelect }) => (
              <Base.Item key={words} className="menu-item" onClick={onSelect}>
                {icon && <Icon name={icon} />}
                {words}
              </Base.Item>
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
