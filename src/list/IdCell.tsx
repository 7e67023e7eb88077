import { Eye } from 'lucide-react';
import { shorten, visible } from '#src/lib/text.ts';
import { RowLink } from './RowLink.tsx';
import { useVisited } from './visited.ts';

export function IdCell({ id }: { id: string }) {
  const visited = useVisited().has(id);
  return (
    <>
      <RowLink id={id} className={visited ? 'id seen' : 'id'}>
        <bdi data-tip={id}>{visible(shorten(id))}</bdi>
      </RowLink>
      {visited && (
        <span className="seen-mark" data-tip="Opened here before">
          <Eye className="icon-s" aria-hidden />
          <span className="vh">opened before</span>
        </span>
      )}
    </>
  );
}
