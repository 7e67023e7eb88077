import { CircleQuestionMark } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router';
import type { BalanceRow } from '#src/api/schemas.ts';
import { stringifyExact } from '#src/lib/json/exactJson.ts';
import { paths } from '#src/lib/paths.ts';
import { age, isPlausibleTime } from '#src/lib/time.ts';
import { balanceColumns } from '#src/list/balanceColumns.tsx';
import { type DataColumn, DataTable } from '#src/ui/DataTable.tsx';
import { TextField } from '#src/ui/Field.tsx';
import { UntrustedText } from '#src/ui/UntrustedText.tsx';
import { Time } from '#src/ui/Time.tsx';

export function BalanceTable({ balances, now }: { balances: readonly BalanceRow[]; now: number }) {
  const [find, setFind] = useState('');
  const wanted = find.trim().toLowerCase();
  const shown = balances.filter(({ asset }) => asset.toLowerCase().includes(wanted));
  return (
    <>
      <div className="flex flex-wrap items-end gap-x-4 gap-y-2 px-gutter pb-3 [&_.field]:w-[min(20rem,100%)]">
        <TextField label="Find an asset" type="search" spellCheck={false} text={find} onText={setFind} />
        <output className="small sub pb-[0.4rem]">
          {wanted === '' ? `${balances.length} assets` : `${shown.length} of ${balances.length} assets`}
        </output>
      </div>
      {shown.length > 0 && (
        <DataTable
          className="grid-table labelled fitted"
          label="Balances"
          rows={shown}
          columns={columnsOf(balances, now)}
          keyOf={(balance) => stringifyExact(balance)}
        />
      )}
      {shown.length === 0 && (
        <div className="blank">
          <p>No asset has “{find.trim()}” in its code.</p>
        </div>
      )}
    </>
  );
}

const UNCHECKED = (
  <span className="text-open">
    <CircleQuestionMark className="icon-s" aria-hidden /> Can’t be checked
  </span>
);

function columnsOf(balances: readonly BalanceRow[], now: number): DataColumn<BalanceRow>[] {
  return [
    {
      name: 'Asset',
      isHead: true,
      cell: ({ asset }) => (
        <Link to={paths.balance(asset)}>
          <UntrustedText value={asset} max={24} />
        </Link>
      ),
    },
    ...balanceColumns(balances, UNCHECKED),
    {
      name: 'Last change',
      className: 'sub',
      cell: ({ updated_at: at }) =>
        isPlausibleTime(at) ? <span data-tip-unix={at}>{age(at, now)}</span> : <Time unix={at} />,
    },
  ];
}
