import { Download } from 'lucide-react';
import { saveFile } from '#src/list/saveFile.ts';
import type { AddressBookEntry } from '#src/remembered/addressBookStore.ts';
import { Button } from '#src/ui/Button.tsx';
import { toCsv, toJson } from './exportFile.ts';

interface ExportButtonsProps {
  entries: readonly AddressBookEntry[];
  service: string;
}

export function ExportButtons({ entries, service }: ExportButtonsProps) {
  const off = entries.length === 0 ? 'There is nothing to export.' : undefined;
  const now = () => Math.floor(Date.now() / 1000);
  const nameOf = (ending: string) => `address-book-${new Date().toISOString().slice(0, 10)}.${ending}`;
  const icon = <Download aria-hidden />;
  return (
    <>
      <Button icon={icon} disabledReason={off} reasonHidden onClick={() => saveFile(nameOf('csv'), toCsv(entries))}>
        Export CSV
      </Button>
      <Button
        icon={icon}
        disabledReason={off}
        reasonHidden
        onClick={() => saveFile(nameOf('json'), [toJson(entries, service, now())], 'application/json')}
      >
        Export JSON
      </Button>
    </>
  );
}
