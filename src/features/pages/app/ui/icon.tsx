/** The one set of icons, named by what they mean on these pages and not by what they show. */
import * as octicons from '@primer/octicons-react';

const icons = {
  add: octicons.PlusIcon,
  cancel: octicons.XIcon,
  columns: octicons.ColumnsIcon,
  copy: octicons.CopyIcon,
  date: octicons.CalendarIcon,
  delete: octicons.TrashIcon,
  download: octicons.DownloadIcon,
  duplicate: octicons.DuplicateIcon,
  edit: octicons.PencilIcon,
  filter: octicons.FilterIcon,
  history: octicons.HistoryIcon,
  info: octicons.InfoIcon,
  key: octicons.KeyIcon,
  link: octicons.LinkIcon,
  locked: octicons.LockIcon,
  more: octicons.KebabHorizontalIcon,
  move: octicons.GrabberIcon,
  next: octicons.ArrowRightIcon,
  open: octicons.ChevronDownIcon,
  person: octicons.PersonIcon,
  refresh: octicons.SyncIcon,
  search: octicons.SearchIcon,
  signOut: octicons.SignOutIcon,
  sortedDown: octicons.ArrowDownIcon,
  sortedUp: octicons.ArrowUpIcon,
  star: octicons.StarIcon,
  starred: octicons.StarFillIcon,
  undo: octicons.UndoIcon,
};

export type IconName = keyof typeof icons;

/** An icon beside words; with a `label` it says something that they do not. */
export function Icon({ name, label }: { name: IconName; label?: string }) {
  const Drawing = icons[name];
  return <Drawing size={16} className="icon" aria-label={label} />;
}
