import { useMemo, useState } from 'react';
import { Link } from 'react-router';
import { counted } from '#src/shared/text.ts';
import { useCan } from '#src/web/api/permissions.ts';
import { ActionLink } from '#src/web/list/ActionLink.tsx';
import { Button } from '#src/web/ui/Button.tsx';
import { type DataColumn, DataTable } from '#src/web/ui/DataTable.tsx';
import type { AttentionLine } from './attentionLine.tsx';
import { TakeThis } from './TakeThis.tsx';

/** Maximum lines before "Show all". */
const SHOWN = 5;

/** A guess only reserves its space. */
type Line = AttentionLine & { isGuess?: boolean };

interface AttentionLinesProps {
  title: string;
  /** Head of the column of times. */
  when: string;
  all: readonly Line[];
}

/** The lines of one group, most urgent first. */
export function AttentionLines({ title, when, all }: AttentionLinesProps) {
  const canTake = useCan('annotate');
  const [isWhole, setWhole] = useState(false);
  const columns = useMemo(() => columnsOf(title, when, canTake), [title, when, canTake]);
  const lines = isWhole ? all : all.slice(0, SHOWN);
  return (
    <>
      <DataTable
        label={title}
        className="grid-table labelled fitted att"
        rows={lines}
        columns={columns}
        keyOf={({ key }) => key}
        rowClass={({ isGuess }) => (isGuess === true ? 'invisible' : undefined)}
      />
      {lines.length < all.length && (
        <p className="more">
          <Button size="small" onClick={() => setWhole(true)}>
            Show {counted(all.length - lines.length, 'more', 'more')}
          </Button>
        </p>
      )}
    </>
  );
}

const columnsOf = (title: string, when: string, canTake: boolean): DataColumn<AttentionLine>[] => [
  { name: title, head: <h2>{title}</h2>, className: 'c-st', cell: ({ chip }) => chip },
  {
    name: 'What',
    head: <span className="vh">What</span>,
    className: 'what',
    cell: ({ to, what, why, taking }) => (
      <>
        <Link to={to}>{what}</Link>
        <span>
          {why} {taking && canTake && <TakeThis {...taking} />}
        </span>
      </>
    ),
  },
  { name: when, className: 'since', cell: ({ waiting }) => waiting },
  {
    name: 'Action',
    head: <span className="vh">Action</span>,
    className: 'do',
    cell: ({ to, act: { label, of, ability = 'read', ...link } }) => (
      <ActionLink ability={ability} reasonHidden to={link.to ?? to} state={link.state}>
        {label}
        {of !== undefined && <span className="vh"> ({of})</span>}
      </ActionLink>
    ),
  },
];
