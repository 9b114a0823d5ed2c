import { Toast as Base } from '@base-ui/react/toast';
import { Button } from './button.js';
import { over } from './over.js';

interface ToastGiven {
  /** What has happened: "Deleted". */
  words: string;
  detail?: string | undefined;
  isBad?: boolean;
  action?: { words: string; onPress(): void };
}

const toasts = Base.createToastManager();

/** Milliseconds: enough to read it and to decide; the mouse or the keyboard on it stops the clock. */
const shown = 6000;
const shownWithAction = 15_000;

/**
 * Says in a corner of the page what has happened, with at most one thing to do about it. What went wrong stays until it is
 * closed. F6 leads the keyboard there.
 */
export function showToast({ words, detail, isBad = false, action }: ToastGiven): void {
  const press = () => {
    toasts.close(id);
    action?.onPress();
  };
  const id = toasts.add({
    title: words,
    description: detail,
    type: isBad ? 'bad' : 'good',
    priority: isBad ? 'high' : 'low',
    timeout: isBad ? 0 : action ? shownWithAction : shown,
    ...(action && { actionProps: { children: action.words, onClick: press } }),
  });
}

/** The place of the toasts: once in the app. */
export function Toasts() {
  return (
    <Base.Provider toastManager={toasts}>
      <Base.Portal container={over()}>
        <Base.Viewport className="toasts" aria-label="What has happened">
          <Shown />
        </Base.Viewport>
      </Base.Portal>
    </Base.Provider>
  );
}

function Shown() {
  return Base.useToastManager().toasts.map((toast) => (
    <Base.Root key={toast.id} toast={toast} className="toast">
      <Base.Content className="toast-content">
        <div>
          <Base.Title className="toast-title" render={<p />} />
          <Base.Description className="soft" />
        </div>
        <Base.Action render={<Button isSmall />} />
        <Base.Close render={<Button kind="quiet" isSmall icon="cancel" aria-label="Close" />} />
      </Base.Content>
    </Base.Root>
  ));
}

/** Puts a text on the clipboard, and says whether the browser lets it: on origins that are not safe it has none. */
export async function copyText(text: string, detail?: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    showToast({ words: 'Copied', detail });
  } catch {
    showToast({ words: 'Not copied: the browser forbids it', isBad: true });
  }
}
