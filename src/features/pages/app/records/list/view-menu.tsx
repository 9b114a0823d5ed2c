import { type FormEvent, useId, useState } from 'react';
import type { TypeAbout } from '../../../about.js';
import { goTo, pathOf } from '../../router.js';
import { Dialog } from '../../ui/dialog.js';
import { Menu, type MenuItem } from '../../ui/menu.js';
import { copyText } from '../../ui/toast.js';
import { useKept } from './kept.js';
import { type ListState, writeState } from './list-state.js';

/** The views of a list: its filters, order and columns under a name, kept in this browser, and shared by their link. */
export function ViewMenu({ type: { slug }, state }: { type: TypeAbout; state: ListState }) {
  const { kept, keep, forget } = useKept('views');
  const [typed, setTyped] = useState<string>();
  const field = useId();
  const own = kept.filter((view) => view.slug === slug);
  const show = (search: string) => goTo(pathOf(`records/${slug}`) + search);
  const copy = () => void copyText(location.href, 'Whoever may read these records sees the same list by this link.');
  const name = typed?.trim() ?? '';
  const keepIt = (event?: FormEvent) => {
    event?.preventDefault();
    if (!name) return;
    const search = writeState({ ...state, page: 1, view: name });
    keep({ slug, name, search });
    setTyped(undefined);
    show(search);
  };
  const items: MenuItem[] = own.map((view) => ({ words: view.name, onSelect: () => show(view.search ?? '') }));
  items.push(
    { words: 'Keep this view…', icon: 'add', onSelect: () => setTyped(state.view ?? '') },
    { words: 'Copy its link', icon: 'link', onSelect: copy },
  );
  const current = own.find((view) => view.name === state.view);
  if (current) items.push({ words: `Forget “${current.name}”`, icon: 'delete', onSelect: () => forget(current) });
  return (
    <>
      <Menu icon="open" items={items}>
        {state.view ?? 'Views'}
      </Menu>
      {typed !== undefined && (
        <Dialog
          title="Keep this view"
          onClose={() => setTyped(undefined)}
          leave={{ words: 'Do not keep it' }}
          act={{ words: 'Keep it', canAct: name !== '', onClick: keepIt }}
        >
          <form className="field" onSubmit={keepIt}>
            <label htmlFor={field}>Name</label>
            <input id={field} value={typed} onChange={(event) => setTyped(event.target.value)} />
          </form>
          <p className="soft">It is kept in this browser, with its filters. Its link shows it to others.</p>
        </Dialog>
      )}
    </>
  );
}
