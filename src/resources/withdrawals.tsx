import type { WithdrawalRow } from '#src/api/schemas.ts';
import { withdrawalQueries } from '#src/api/withdrawals.ts';
import { paths } from '#src/lib/paths.ts';
import { AlongWords, CopyAddress } from './CopyAddress.tsx';
import { ExplorerLink } from './ExplorerLink.tsx';
import { FILTERS, type FiltersOf } from '#src/list/filters/listFilters.tsx';
import { Amount } from '#src/ui/Amount.tsx';
import { GroupedAddress } from '#src/ui/GroupedAddress.tsx';
import { CopyButton } from '#src/ui/CopyButton.tsx';
import { Fact } from '#src/ui/Facts.tsx';
import { UntrustedText } from '#src/ui/UntrustedText.tsx';
import { LookUpById } from './LookUpById.tsx';
import { NamedInBook } from './NamedInBook.tsx';
import { NoWithdrawal } from './NoWithdrawal.tsx';
import { RecordedHere } from './RecordedHere.tsx';
import { defineResource, NOTE } from './resource.ts';
import { ResourceListPage } from './ResourceListPage.tsx';

const { source: _source, ...filters } = FILTERS;

export const resource = defineResource<WithdrawalRow>({
  noun: { one: 'withdrawal', many: 'withdrawals' },
  title: 'Withdrawals',
  at: paths.withdrawals(),
  api: withdrawalQueries,
  filters: filters satisfies FiltersOf<'withdrawals'>,
  fields: [
    { name: 'id', label: 'Id', kind: 'id', width: 9 },
    { name: 'object', label: 'Object', kind: 'word', csv: false },
    { name: 'status', label: 'Status', kind: 'status', width: 9.75 },
    { name: 'asset', label: 'Asset', kind: 'word' },
    { name: 'chain', label: 'Chain', kind: 'word', width: 6.75 },
    { name: 'amount', label: 'Amount', kind: 'amount' },
    { name: 'fee', label: 'Fee', kind: 'amount', fact: (row) => <Fee {...row} /> },
    { name: 'address', label: 'To', kind: 'address', width: 10, share: 3, link: true, fact: (row) => <To {...row} /> },
    { name: 'tx_hash', label: 'On chain', kind: 'hash', fact: (row) => <OnChain {...row} /> },
    { name: 'created_at', label: 'Created', kind: 'time', width: 10.5 },
  ],
  columns: ['created_at', 'status', 'address', 'chain', 'amount'],
  more: [NOTE.name, 'id', 'tx_hash'],
  detail: ['id', 'created_at', 'status', 'asset', 'chain', 'address', 'fee', 'tx_hash'],
  empty: 'A withdrawal appears here once the provider has accepted it.',
  settles: true,
  live: true,
  start: { to: paths.newWithdrawal, label: 'New withdrawal', readOnly: 'Read only: no new withdrawals from here.' },
  LookUp: LookUpById,
  NotOffered: RecordedHere,
  Unknown: NoWithdrawal,
  payment: 'withdrawal',
});

export function Component() {
  return <ResourceListPage resource={resource} />;
}

/** Longer than any address: somebody else's text, to be clipped rather than read in fours. */
const ADDRESS_MAX = 200;

function To(row: WithdrawalRow) {
  const { address, chain } = row;
  if (address === null) {
    return (
      <Fact label="To">
        <span className="sub">not in the answer</span>
      </Fact>
    );
  }
  return (
    <Fact label="To" action={address !== '' && <CopyAddress address={address} of={row} />}>
      {address.length <= ADDRESS_MAX && <GroupedAddress value={address} />}
      <span className={address.length > ADDRESS_MAX ? '' : 'mono sub block'}>
        <UntrustedText value={address} max={ADDRESS_MAX} />
      </span>
      <AlongWords of={row} />
      {chain !== null && (
        <>
          <ExplorerLink chain={chain} kind="address" value={address} />
          <NamedInBook place={{ chain, address }} />
        </>
      )}
    </Fact>
  );
}

function Fee({ fee, asset }: Pick<WithdrawalRow, 'fee' | 'asset'>) {
  return (
    <Fact label="Fee">
      {fee === undefined || fee === null ? (
        <span className="sub">not stated yet</span>
      ) : (
        <Amount value={fee} asset={asset ?? undefined} flow />
      )}
    </Fact>
  );
}

function OnChain({ tx_hash: hash, chain }: Pick<WithdrawalRow, 'tx_hash' | 'chain'>) {
  if (hash === null || hash === '') {
    return (
      <Fact label="On chain">
        <span className="sub">no transaction hash yet</span>
      </Fact>
    );
  }
  return (
    <Fact label="On chain" action={<CopyButton value={hash} label="Copy transaction hash" />}>
      <span className="mono">
        <UntrustedText value={hash} max={160} />
      </span>
      <ExplorerLink chain={chain} kind="transaction" value={hash} />
    </Fact>
  );
}
