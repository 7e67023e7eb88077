import { Eye } from 'lucide-react';
import { shorten, visible } from '#src/lib/text.ts';
import { useOpenedRows } from './openedRows.ts';
import { RowLink } from './RowLink.tsx';

export function IdCell({ id }: { id: string }) {
  const opened = useOpenedRows().has(id);
  return (
    <>
      <RowLink id={id} className={opened ? 'id seen' : 'id'}>
        <bdi data-tip={id}>{visible(shorten(id))}</bdi>
      </RowLink>
      {opened && (
        <span className="seen-mark" data-tip="Opened here before">
          <Eye className="icon-s" aria-hidden />
          <span className="vh">opened before</span>
        </span>
      )}
    </>
  );
}
