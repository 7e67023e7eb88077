import type { ReactNode } from 'react';
import type { Meta } from '#src/api/read.ts';
import type { WithdrawalRow } from '#src/api/schemas.ts';
import { paths } from '#src/lib/paths.ts';
import type { Story } from '#src/lib/story.ts';
import { CaseFileLink } from '#src/list/CaseFileLink.tsx';
import { CreatedAt } from '#src/list/CreatedAt.tsx';
import { ExplorerLink } from '#src/list/ExplorerLink.tsx';
import { LedgerLink } from '#src/list/LedgerLink.tsx';
import { PaymentNote } from '#src/list/PaymentNote.tsx';
import { LocalStory } from '#src/list/LocalStory.tsx';
import { OtherFields, RawJson } from '#src/list/OtherFields.tsx';
import { StatusCell } from '#src/list/StatusCell.tsx';
import { StatusFact } from '#src/list/StatusFact.tsx';
import { Amount } from '#src/ui/Amount.tsx';
import { Chunks } from '#src/ui/Chunks.tsx';
import { CopyButton } from '#src/ui/CopyButton.tsx';
import { Fact, Facts } from '#src/ui/Facts.tsx';
import { RawText } from '#src/ui/RawText.tsx';
import { Time } from '#src/ui/Time.tsx';
import { NamedInBook } from './NamedInBook.tsx';

/** Fields that stand by themselves (2.2). */
const STATED = ['id', 'object', 'status', 'asset', 'chain', 'amount', 'fee', 'address', 'tx_hash', 'created_at'];

interface WithdrawalFactsProps {
  read: Meta & { withdrawal: WithdrawalRow };
  story: Story;
}

/** One withdrawal as the service shows it now: what the contract states first, then whatever else came, and what is recorded about it. */
export function WithdrawalFacts({ read, story }: WithdrawalFactsProps) {
  const { withdrawal } = read;
  const asset = withdrawal.asset ?? undefined;
  return (
    <>
      <div className="panel-title">
        <Amount value={withdrawal.amount} asset={asset} readBack figure />
        {typeof withdrawal.amount === 'string' && <CopyButton value={withdrawal.amount} label="Copy amount" />}
        {/* Announced when a read brings another status. */}
        <output>
          <StatusCell status={withdrawal.status} />
        </output>
      </div>
      <Facts>
        <Fact label="Id" mono action={<CopyButton value={withdrawal.id} label="Copy id" />}>
          <RawText value={withdrawal.id} max={160} />
        </Fact>
        <Fact label="Created">
          <CreatedAt unix={withdrawal.created_at} read={read} />
        </Fact>
        <StatusFact of="withdrawal" status={withdrawal.status} />
        <Fact label="Asset">
          <Word value={withdrawal.asset} />
        </Fact>
        <Fact label="Chain">
          <Word value={withdrawal.chain} />
        </Fact>
        <Fact label="To" action={withdrawal.address && <CopyButton value={withdrawal.address} label="Copy address" />}>
          {withdrawal.address === null ? <Word value={null} /> : <Address address={withdrawal.address} />}
          {withdrawal.address !== null && withdrawal.chain !== null && (
            <>
              <ExplorerLink chain={withdrawal.chain} kind="address" value={withdrawal.address} />
              <NamedInBook place={{ chain: withdrawal.chain, address: withdrawal.address }} />
            </>
          )}
        </Fact>
        <Fact label="Fee">
          {withdrawal.fee === undefined || withdrawal.fee === null ? (
            <span className="sub">not stated yet</span>
          ) : (
            <Amount value={withdrawal.fee} asset={asset} flow />
          )}
        </Fact>
        <Fact
          label="On chain"
          action={withdrawal.tx_hash && <CopyButton value={withdrawal.tx_hash} label="Copy transaction hash" />}
        >
          <Transaction chain={withdrawal.chain} hash={withdrawal.tx_hash} />
        </Fact>
        <OtherFields record={withdrawal} except={STATED} />
        <Fact label="Read">
          <Time unix={read.readAt} />
          <span className="small sub block">
            Read again every 3 s at first, slowing to once a minute, while this page is in view.
          </span>
        </Fact>
        <Fact
          label="Request id"
          mono
          action={read.requestId && <CopyButton value={read.requestId} label="Copy request id" />}
        >
          {read.requestId === null ? 'not in the answer' : <RawText value={read.requestId} max={80} />}
        </Fact>
      </Facts>
      <PaymentNote subject={{ kind: 'withdrawal', id: withdrawal.id }} />
      <LocalStory story={story} />
      <div className="acts-row">
        <CaseFileLink pathOf={paths.withdrawalCase} id={withdrawal.id} />
        <LedgerLink of="withdrawal" id={withdrawal.id} />
      </div>
      <RawJson value={withdrawal} />
    </>
  );
}

function Word({ value }: { value: string | null }): ReactNode {
  return value === null ? <span className="sub">not in the answer</span> : <RawText value={value} max={120} />;
}

function Address({ address }: { address: string }) {
  // Beyond any address: somebody else's text, to be clipped rather than read in fours.
  if (address.length > 200) return <RawText value={address} max={200} />;
  return (
    <>
      <Chunks value={address} />
      <span className="mono sub block">
        <RawText value={address} />
      </span>
    </>
  );
}

function Transaction({ chain, hash }: { chain: string | null; hash: string | null }) {
  if (hash === null || hash === '') return <span className="sub">no transaction hash yet</span>;
  return (
    <>
      <span className="mono">
        <RawText value={hash} max={160} />
      </span>
      <ExplorerLink chain={chain} kind="transaction" value={hash} />
    </>
  );
}
