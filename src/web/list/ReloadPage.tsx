import { isFromElsewhere } from '#src/web/api/errors.ts';
import { Button } from '#src/web/ui/Button.tsx';

/** A reload button for errors that reloading the page may fix; nothing for other errors. */
export function ReloadPage({ error, size }: { error: unknown; size?: 'small' }) {
  if (!isFromElsewhere(error)) return null;
  return (
    <Button {...(size && { size })} onClick={() => window.location.reload()}>
      Reload page
    </Button>
  );
}
