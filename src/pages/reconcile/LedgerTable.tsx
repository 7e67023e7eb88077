import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { describeError } from '#src/api/errors.ts';
import { paths } from '#src/lib/paths.ts';
import { Amount } from '#src/ui/Amount.tsx';
import { Chip } from '#src/ui/Chip.tsx';
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx';
import { UntrustedText } from '#src/ui/UntrustedText.tsx';
import { Time } from '#src/ui/Time.tsx';
import type { AssetSide } from './ledgerSide.ts';
import type { LedgerRead } from './useRun.ts';

export const tableBoxClass = 'overflow-x-auto border-y border-rule [&_tbody_th]:min-w-22 not-narrow:[&_td]:h-11';
export const rowsClass = '*:border-b *:border-rule *:py-1 *:wrap-anywhere';

/** Per asset: the balance at the checkpoint, the ledger's movements since, and the balance now. */
export function LedgerTable({ ledger: { offered, sides, error }, first }: { ledger: LedgerRead; first: boolean }) {
  return (
    <>
      <h3 className="mt-2">Beside it, the ledger</h3>
      {error !== null && <ErrorNotice error={describeError(error)} heading="The ledger could not be read" />}
      {!offered && <p className="small sub">The service does not offer its ledger, so nothing is compared with it.</p>}
      {offered && error === null && sides === null && (
        <p className="small sub">
          {first
            ? 'The first checkpoint notes the balances; from the next run on the movements since are compared with them.'
            : 'No balances were noted at the last checkpoint, so there is nothing to compare with yet.'}
        </p>
      )}
      {sides !== null && (
        <div className={tableBoxClass}>
          <table className="grid-table labelled" aria-label="Ledger and balances">
            <thead>
              <tr>
                <th scope="col">Asset</th>
                <th scope="col">Verdict</th>
                <th scope="col">At the checkpoint</th>
                <th scope="col">Movements since</th>
                <th scope="col">Closing by the ledger</th>
                <th scope="col">Balance snapshot</th>
                <th scope="col" className="cash">
                  Difference
                </th>
              </tr>
            </thead>
            <tbody>
              {sides.map((side) => (
                <Side key={side.asset} side={side} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {sides
        ?.filter(({ verdict }) => verdict !== 'agrees')
        .map((side) => (
          <Concerned key={side.asset} side={side} />
        ))}
    </>
  );
}

const VERDICTS = {
  agrees: { tone: 'proof', words: 'Agrees' },
  explained: { tone: 'motion', words: 'Explained' },
  unexplained: { tone: 'alarm', words: 'Unexplained' },
} as const;

function Side({ side }: { side: AssetSide }) {
  const { tone, words } = VERDICTS[side.verdict];
  return (
    <tr>
      <th scope="row">
        <UntrustedText value={side.asset} max={24} />
      </th>
      <td data-label="Verdict">
        <Chip tone={tone}>{words}</Chip>
      </td>
      <td data-label="At the checkpoint">
        <Dated value={side.opening} at={side.openingAt} />
      </td>
      <td data-label="Movements since">
        <Dated value={side.movements} at={side.movementsAt}>
          {side.entries.toLocaleString('en')} {side.entries === 1 ? 'entry' : 'entries'}
        </Dated>
      </td>
      <td data-label="Closing by the ledger">
        <Amount value={side.closing} flow />
      </td>
      <td data-label="Balance snapshot">
        <Dated value={side.snapshot} at={side.snapshotAt} />
      </td>
      <td className="cash" data-label="Difference">
        <Amount value={side.difference} asset={side.asset} flow />
      </td>
    </tr>
  );
}

function Dated({ value, at, children }: { value: string; at: number | null; children?: ReactNode }) {
  return (
    <span>
      <Amount value={value} flow />{' '}
      <span className="block text-small text-ink-3">
        {children}
        {children !== undefined && at !== null && ', '}
        {at !== null && (
          <>
            as of <Time unix={at} />
          </>
        )}
      </span>
    </span>
  );
}

function Concerned({ side: { asset, verdict, concerned } }: { side: AssetSide }) {
  return (
    <>
      <h4 className="mt-2 font-semibold">
        {asset}:{' '}
        {verdict === 'explained'
          ? concerned.length === 0
            ? 'the late deposits make up the whole difference'
            : 'these entries are younger than the snapshot and make up the whole difference'
          : 'a difference that no younger entry explains; the entries since the checkpoint'}
      </h4>
      <ul className={rowsClass}>
        {concerned.map((entry) => (
          <li key={entry.id}>
            <Link className="id" to={paths.ledgerEntry(entry.id)} target="_blank" rel="noopener noreferrer">
              <UntrustedText value={entry.id} max={40} />
            </Link>{' '}
            <Time unix={entry.created_at} /> <Amount value={entry.amount} asset={asset.slice(0, 20)} flow />
          </li>
        ))}
      </ul>
    </>
  );
}
