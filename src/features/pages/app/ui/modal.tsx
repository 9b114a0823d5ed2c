import { type ReactNode, useEffect, useId, useRef } from 'react';

interface Props {
  title: string;
  /** While something is under way that cannot be taken back, Escape does not close it. */
  isHeld?: boolean;
  onClose(): void;
  children: ReactNode;
}

/** A dialog over the page, which keeps the keyboard inside and closes with Escape. */
export function Modal({ title, isHeld = false, onClose, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      onCancel={(event) => isHeld && event.preventDefault()}
      // Chromium closes it at the second Escape whatever the page says.
      onClose={() => (isHeld ? dialog.current?.showModal() : onClose())}
    >
      <h2 id={id}>{title}</h2>
      {children}
    </dialog>
  );
}
