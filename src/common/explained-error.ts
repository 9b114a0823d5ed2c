/** An error whose message says to whoever reads it what is wrong, and what to do: it is shown as it is. */
export class ExplainedError extends Error {}
