import { Dialog as Base } from '@base-ui/react/dialog';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Button } from './button.js';
import { over } from './over.js';

interface DialogProps {
  title: string;
  children: ReactNode;
  /** While something is under way that cannot be taken back, Escape does not close it, and no button does anything. */
  isBusy?: boolean;
  isWide?: boolean;
  onClose(): void;
  /** The buttons: one leaves everything as it is, the other, if there is one, does what the dialog is about. */
  leave: { words: string; onClick?: () => void };
  act?: { words: string; canAct?: boolean; kind?: 'main' | 'danger'; onClick(): void } | undefined;
}

/**
 * A dialog over the page, for as long as it is rendered. It keeps the keyboard inside, begins at the button that changes
 * nothing, closes with Escape, and gives the keyboard back to what it was on.
 */
export function Dialog({ title, children, isBusy = false, isWide, onClose, leave, act }: DialogProps) {
  const leaving = useRef<HTMLButtonElement>(null);
  return (
    <Base.Root open disablePointerDismissal onOpenChange={(open) => !open && !isBusy && onClose()}>
      <Base.Portal container={over()}>
        <Base.Backdrop className="backdrop" />
        <Base.Popup className={isWide ? 'dialog wide' : 'dialog'} initialFocus={leaving} aria-busy={isBusy}>
          <Base.Title>{title}</Base.Title>
          {children}
          <div className="dialog-buttons">
            <Button ref={leaving} disabled={isBusy} onClick={leave.onClick ?? onClose}>
              {leave.words}
            </Button>
            {act && (
              <Button kind={act.kind ?? 'main'} disabled={act.canAct === false || isBusy} onClick={act.onClick}>
                {act.words}
              </Button>
            )}
          </div>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

interface Question {
  title: string;
  text: ReactNode;
  /** The words of the buttons. What is asked takes something away. */
  act: string;
  leave: string;
}

/** Shows a question, or none, and answers the one that is shown. */
let show: (question: Question | undefined) => void = () => undefined;
let answer: (isAgreed: boolean) => void = () => undefined;

/** Asks before something is done, and resolves with whether the user agrees. A second question answers the first with no. */
export function confirmed(question: Question): Promise<boolean> {
  answer(false);
  return new Promise((resolve) => {
    answer = (isAgreed) => {
      show(undefined);
      resolve(isAgreed);
    };
    show(question);
  });
}

/** The place of the question that is asked now: once in the app. */
export function Confirm() {
  const [question, setQuestion] = useState<Question>();
  useEffect(() => {
    show = setQuestion;
  }, []);
  if (!question) return null;
  const { title, text, act, leave } = question;
  return (
    <Dialog
      key={title}
      title={title}
      onClose={() => answer(false)}
      leave={{ words: leave }}
      act={{ words: act, kind: 'danger', onClick: () => answer(true) }}
    >
      <p>{text}</p>
    </Dialog>
  );
}
