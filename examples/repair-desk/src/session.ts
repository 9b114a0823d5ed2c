const place = 'repair-desk-session';

/** With what the gateway is asked: a key for development, or the token of somebody who has signed in. */
export interface Session {
  key: string;
  /** Gets the next token. */
  refreshToken?: string | undefined;
  /** When it is time to do so, in milliseconds by the clock of this browser. */
  renewAt?: number | undefined;
}

/** The session lives as long as the tab: in sessionStorage, and nowhere else. */
export const keptSession = {
  read(): Session | null {
    return JSON.parse(sessionStorage.getItem(place) ?? 'null');
  },
  keep: (session: Session) => sessionStorage.setItem(place, JSON.stringify(session)),
  forget: () => sessionStorage.removeItem(place),
};

/** Whether the token is about to end, and another can be had for it. */
export const isDue = ({ refreshToken, renewAt = 0 }: Session): boolean =>
  refreshToken !== undefined && renewAt < Date.now();
