import { Download } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { Button } from '#src/ui/Button.tsx';
import type { ExportableRow, ExportSource } from './exportRun.ts';

// Sums and hashes come with the dialog, not with the list.
const ExportDialog = lazy(() => import('./ExportDialog.tsx').then((module) => ({ default: module.ExportDialog })));

interface ExportButtonProps<T extends ExportableRow> {
  source: ExportSource<T>;
  /** The filters in words; empty for all rows. */
  scope: string;
}

/** Saves every row of the current filter: progress while it reads, nothing cut silently. */
export function ExportButton<T extends ExportableRow>({ source, scope }: ExportButtonProps<T>) {
  // What was on screen at the click is what is exported, whatever the filters become meanwhile.
  const [asked, setAsked] = useState<ExportButtonProps<T> | null>(null);
  return (
    <>
      <Button
        variant="quiet"
        icon={<Download aria-hidden />}
        data-tip="Export"
        data-keys="E"
        onClick={() => setAsked({ source, scope })}
      >
        Export
      </Button>
      {asked && (
        <Suspense>
          <ExportDialog source={asked.source} scope={asked.scope} onClose={() => setAsked(null)} />
        </Suspense>
      )}
    </>
  );
}
