const name = 'repair-desk-key';

/** The API key lives as long as the tab: in sessionStorage, and nowhere else. */
export const keptKey = {
  read: () => sessionStorage.getItem(name),
  keep: (key: string) => sessionStorage.setItem(name, key),
  forget: () => sessionStorage.removeItem(name),
};
