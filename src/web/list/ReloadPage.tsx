import { isFromElsewhere } from '#src/web/api/errors.ts';
import { Button } from '#src/web/ui/Button.tsx';

/** For an error that loading the page again may end; nothing for any other. */
export function ReloadPage({ error, size }: { error: unknown; size?: 'small' }) {
  if (!isFromElsewhere(error)) return null;
  return (
    <Button {...(size && { size })} onClick={() => window.location.reload()}>
      Reload page
    </Button>
  );
}
