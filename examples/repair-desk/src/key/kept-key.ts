/** The API key lives as long as the tab: in sessionStorage, and nowhere else. */
const name = 'repair-desk-key';

export function keptKey(): string | null {
  return sessionStorage.getItem(name);
}

export function keepKey(key: string): void {
  sessionStorage.setItem(name, key);
}

export function forgetKey(): void {
  sessionStorage.removeItem(name);
}
