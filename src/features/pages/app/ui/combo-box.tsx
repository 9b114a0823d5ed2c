import { Autocomplete } from '@base-ui/react/autocomplete';
import { type ComponentProps, type ReactNode, useLayoutEffect } from 'react';
import { over } from './over.js';

/** What every field of a form is given: its value is the text that stands in it, whatever that is. */
export interface TextFieldProps extends Pick<ComponentProps<'input'>, 'id' | 'title' | Aria> {
  value: string;
  onChange(text: string): void;
  onFocus?(): void;
  onBlur?(): void;
}

type Aria = 'aria-label' | 'aria-invalid' | 'aria-required' | 'aria-describedby';

export interface Option {
  value: string;
  /** What is said of it beside the value, such as the name of the record that it names. */
  hint?: ReactNode;
}

interface ComboBoxProps extends TextFieldProps {
  options: readonly Option[];
  /** The options are those that fit already, because somebody else has searched: none is left out here. */
  isSearched?: boolean;
  /** What is said in the place of options: that they are loaded, or that there is none. */
  status?: string | undefined;
  onSelect?(value: string): void;
}

/** A text with suggestions, which may also be something else than one of them. */
export function ComboBox(props: ComboBoxProps) {
  const { options, isSearched, status, value, onChange, onSelect, ...field } = props;
  return (
    <Autocomplete.Root
      items={options}
      itemToStringValue={(option: Option) => option.value}
      // What stands there already does not hide the other options from whoever opens the list.
      filter={isSearched || options.some((option) => option.value === value) ? null : undefined}
      value={value}
      onValueChange={(text, { reason }) => {
        onChange(text);
        if (reason === 'item-press') onSelect?.(text);
      }}
      openOnInputClick
    >
      <Autocomplete.Input {...field} className="combo-box" autoComplete="off" />
      <Autocomplete.Portal container={over()}>
        <Autocomplete.Positioner sideOffset={4} className="floating">
          <Autocomplete.Popup className={status || options.length > 0 ? 'menu' : undefined}>
            <PageInSight />
            {status && <Autocomplete.Status className="menu-status">{status}</Autocomplete.Status>}
            <Autocomplete.List className="menu-list">
              {(option: Option) => (
                <Autocomplete.Item key={option.value} value={option} className="menu-item">
                  <span>
                    {option.value}
                    {option.hint && <small>{option.hint}</small>}
                  </span>
                </Autocomplete.Item>
              )}
            </Autocomplete.List>
          </Autocomplete.Popup>
        </Autocomplete.Positioner>
      </Autocomplete.Portal>
    </Autocomplete.Root>
  );
}

/** The fields and buttons of the page, and of a dialog over it. */
const hidden = '#root[aria-hidden], :is(#root, .dialog) [aria-hidden]';

/**
 * While a list is open, Base UI hides the rest of the page from screen readers, in which the keyboard still is: what it has
 * hidden is shown again (axe: aria-hidden-focus, serious).
 */
function PageInSight() {
  useLayoutEffect(() => {
    const before = new Set(document.querySelectorAll(hidden));
    const frame = requestAnimationFrame(() => {
      for (const one of document.querySelectorAll(hidden)) if (!before.has(one)) one.removeAttribute('aria-hidden');
    });
    return () => cancelAnimationFrame(frame);
  }, []);
  return null;
}
