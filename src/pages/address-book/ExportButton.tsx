import { Download } from 'lucide-react';
import type { KnownRecipient } from '#src/api/recipients.ts';
import { saveFile } from '#src/ui/saveFile.ts';
import { Button } from '#src/ui/Button.tsx';
import { toCsv } from './exportFile.ts';

export function ExportButton({ entries }: { entries: readonly KnownRecipient[] }) {
  return (
    <Button
      icon={<Download aria-hidden />}
      disabledReason={entries.length === 0 ? 'There is nothing to export.' : undefined}
      reasonHidden
      onClick={() => saveFile(`address-book-${new Date().toISOString().slice(0, 10)}.csv`, toCsv(entries))}
    >
      Export CSV
    </Button>
  );
}
