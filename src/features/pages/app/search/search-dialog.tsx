import { Autocomplete } from '@base-ui/react/autocomplete';
import { Dialog } from '@base-ui/react/dialog';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { typeCalled } from '../../about.js';
import { askAll, useAbout } from '../api/graphql.js';
import { wordsFor } from '../api/problems.js';
import { useRecent } from '../records/list/recent.js';
import { shortened } from '../records/list/rows.js';
import { useSearchable } from '../records/list/search-field.js';
import { lastSeen } from '../router.js';
import { useSession } from '../session/session.js';
import { useMay } from '../session/viewer.js';
import { Button } from '../ui/button.js';
import { Link } from '../ui/controls.js';
import { pages } from '../ui/header.js';
import { over } from '../ui/over.js';

/** A field over the page with what it finds: arrows choose, Enter opens, Escape gives the keyboard back. */
export function SearchDialog({ onClose }: { onClose(): void }) {
  const [value, setValue] = useState('');
  const isChosen = useRef(false);
  const { groups, words } = useFound(value.trim());
  const choose = () => {
    isChosen.current = true;
    onClose();
  };
  const title = 'Search records, types and pages';
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal container={over()}>
        <Dialog.Backdrop className="backdrop" />
        <Dialog.Popup
          className="dialog palette"
          aria-label={title}
          finalFocus={() => (isChosen.current ? document.querySelector('main') : true)}
        >
          <Autocomplete.Root
            inline
            open
            items={groups}
            filter={null}
            autoHighlight="always"
            value={value}
            onValueChange={setValue}
          >
            <div className="field-row">
              <Autocomplete.Input aria-label={title} placeholder={title} autoComplete="off" />
              <Button kind="quiet" icon="cancel" aria-label="Close" onClick={onClose} />
            </div>
            <Autocomplete.Status className="menu-status">{words}</Autocomplete.Status>
            <Autocomplete.List>
              {({ heading, items }: (typeof groups)[number]) => (
                <Autocomplete.Group key={heading} items={items}>
                  <Autocomplete.GroupLabel className="menu-status">{heading}</Autocomplete.GroupLabel>
                  {items.map((item) => (
                    <Autocomplete.Item
                      key={item.to}
                      value={item}
                      tabIndex={-1}
                      render={<Link to={item.to} className="menu-item" />}
                      onClick={choose}
                    >
                      {item.words} <small>{item.hint}</small>
                    </Autocomplete.Item>
                  ))}
                </Autocomplete.Group>
              )}
            </Autocomplete.List>
          </Autocomplete.Root>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** Whether each word begins a word of the title, as the gateway finds words in records. */
const isCalled = (title: string, text: string): boolean =>
  text.split(/\s+/).every((word) => ` ${title}`.toLowerCase().includes(` ${word.toLowerCase()}`));

/** A page that the others lead to. */
const usage = { to: 'docs/usage', words: 'Usage' };
const query =
  'query Search($text: String!) { search(query: $text, first: 10) { nodes { __typename id displayTitle } } }';

/** What is called so; without words, what was starred or seen last. What is known at once stands first, so that nothing moves. */
function useFound(text: string) {
  const about = useAbout();
  const may = useMay();
  const recent = useRecent();
  const { status } = useSession();
  const isIn = status === 'in';
  const { isSuccess, problem } = useSearchable('search(query: "a", first: 0)', isIn, 'only types and pages are found');
  const { data, error, isFetching } = useQuery({
    queryKey: ['search', text],
    enabled: isSuccess && text !== '',
    queryFn: async ({ signal }) => {
      // Another key within this time gives the search up, before or while it is answered.
      await new Promise((resolve) => setTimeout(resolve, 250));
      type Found = { search: { nodes: { __typename: string; id: string; displayTitle: string }[] } };
      const { search } = await askAll<Found>({ query, variables: { text } }, signal);
      return search.nodes.map(({ __typename, id, displayTitle }) => {
        const type = typeCalled(about, __typename);
        return { to: `records/${type?.slug}/${id}`, words: shortened(displayTitle), hint: type?.title };
      });
    },
  });
  const types = about.types
    .filter((type) => text && isCalled(type.title, text) && may(type, 'READ') !== false)
    .sort((one, other) => Number(one.kind === 'child') - Number(other.kind === 'child'))
    .map(({ slug, model, kind, title: words }) =>
      isIn && kind !== 'child'
        ? { to: lastSeen(`records/${slug}`), words, hint: 'Records' }
        : { to: `schema/${model}`, words, hint: 'Map' },
    );
  const groups: { heading: string; items: { to: string; words: string; hint?: string | undefined }[] }[] = [
    ...(text ? [] : recent),
    { heading: 'Types', items: types.slice(0, 6) },
    { heading: 'Pages', items: [...pages, usage].filter(({ words }) => isCalled(words, text)) },
    { heading: 'Records', items: data ?? [] },
  ].filter(({ items }) => items.length > 0);
  const nothing = isFetching ? 'Searching…' : groups.length === 0 && 'Nothing has words that begin so.';
  const said = problem ?? (error ? wordsFor(error) : nothing);
  return { groups, words: status === 'out' ? 'Sign in to find records, too.' : said };
}
