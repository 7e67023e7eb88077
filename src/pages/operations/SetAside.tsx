import { Link } from 'react-router';
import { paths } from '#src/lib/paths.ts';
import type { OperationsView } from '#src/operations/outcomes.ts';
import { Notice } from '#src/ui/Notice.tsx';
import { Time } from '#src/ui/Time.tsx';

/** Records that cannot be shown in the list and still hold their place: damaged ones, and another account's. */
export function SetAside({ damaged, blocks }: Pick<OperationsView, 'damaged' | 'blocks'>) {
  const open = damaged.filter(({ closed }) => closed === undefined);
  const closed = damaged.filter(({ closed }) => closed !== undefined);
  if (damaged.length === 0 && blocks.length === 0) return null;
  return (
    <div className="pad-notice">
      {open.length > 0 && (
        <Notice
          tone="open"
          title={open.length === 1 ? 'One record is damaged.' : `${open.length} records are damaged.`}
        >
          Nothing of it is ever sent, and it holds back whatever would do the same again until it is closed.
          <Links name="Damaged record" items={open} />
        </Notice>
      )}
      {closed.length > 0 && (
        <Notice
          tone="plain"
          title={
            closed.length === 1
              ? 'One damaged record was closed by hand.'
              : `${closed.length} damaged records were closed by hand.`
          }
        >
          <Links name="Closed damaged record" items={closed} />
        </Notice>
      )}
      {blocks.length > 0 && (
        <Notice
          tone="plain"
          title={
            blocks.length === 1
              ? 'One operation of another account or API key is not settled.'
              : `${blocks.length} operations of other accounts or API keys are not settled.`
          }
        >
          Only when is said here. Until then it holds back whatever would do the same again.
          <Links name="Hidden operation" items={blocks} />
        </Notice>
      )}
    </div>
  );
}

function Links({ name, items }: { name: string; items: { id: string; firstSentAt: number | null }[] }) {
  return (
    <ul>
      {items.map(({ id, firstSentAt }) => (
        <li key={id}>
          <Link to={paths.operation(id)}>{name}</Link>, first sent{' '}
          {firstSentAt === null ? 'at a time that cannot be read' : <Time unix={firstSentAt} age />}
        </li>
      ))}
    </ul>
  );
}
