/** Says why nothing could be read, and lets it be tried again. */
export function RetryAlert({ message, onRetry }: { message: string; onRetry: () => void }) {
  return (
    <div className="alert" role="alert">
      {message}{' '}
      <button type="button" onClick={onRetry}>
        Try again
      </button>
    </div>
  );
}
