/** Characters of an id that a message repeats: a client may send a long one, and ask for it many times. */
export const longestShownId = 255;

/** The id as a message repeats it. */
export const shownId = (id: string): string => (id.length > longestShownId ? `${id.slice(0, longestShownId)}…` : id);

/** The same, in quotes. */
export const quotedId = (id: string): string => JSON.stringify(shownId(id));
