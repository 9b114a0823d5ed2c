/** Records cannot be exported or imported. The message says why, and what to do. */
export class TransferError extends Error {}

/** Nobody reads what is written to a pipe any more, such as behind `| head`. There is nobody to tell it to either. */
export class UnreadError extends Error {}
