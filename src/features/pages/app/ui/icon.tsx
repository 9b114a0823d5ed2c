/** The one set of icons, named by what they mean on these pages and not by what they show. */
import * as octicons from '@primer/octicons-react';

const icons = {
  add: octicons.PlusIcon,
  back: octicons.ArrowLeftIcon,
  cancel: octicons.XIcon,
  columns: octicons.ColumnsIcon,
  copy: octicons.CopyIcon,
  date: octicons.CalendarIcon,
  delete: octicons.TrashIcon,
  done: octicons.CheckIcon,
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
  outside: octicons.LinkExternalIcon,
  person: octicons.PersonIcon,
  problem: octicons.AlertIcon,
  refresh: octicons.SyncIcon,
  search: octicons.SearchIcon,
  signOut: octicons.SignOutIcon,
  sortedDown: octicons.ArrowDownIcon,
  sortedUp: octicons.ArrowUpIcon,
  star: octicons.StarIcon,
  starred: octicons.StarFillIcon,
  undo: octicons.UndoIcon,
  within: octicons.ChevronRightIcon,
};

export type IconName = keyof typeof icons;

/** An icon beside words; with a `label` it stands alone, and says so to screen readers. */
export function Icon({ name, label }: { name: IconName; label?: string }) {
  const Drawing = icons[name];
  return <Drawing size={16} className="icon" aria-label={label} />;
}
