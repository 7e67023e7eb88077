import type { Meta } from '#src/api/read.ts';
import type { DepositRow } from '#src/api/schemas.ts';
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
import { CopyButton } from '#src/ui/CopyButton.tsx';
import { Fact, Facts } from '#src/ui/Facts.tsx';
import { RawText } from '#src/ui/RawText.tsx';

/** Fields that stand in the panel by themselves (2.3). */
const STATED = ['id', 'object', 'status', 'asset', 'chain', 'received_amount', 'created_at'];
/** Fields that one would look for and that the contract does not state; they are named when absent. */
const MISSED = new Map([
  ['address', 'deposit address'],
  ['tx_hash', 'transaction hash'],
]);

/** Beside the amount; the whole code stands among the fields. */
const ASSET_MAX = 24;

/** Fields that a block explorer may show, where the service sends them; the contract does not state them. */
const EXPLORED = [
  { field: 'address', kind: 'address' },
  { field: 'tx_hash', kind: 'transaction' },
] as const;

interface DepositFactsProps {
  deposit: DepositRow;
  read: Meta;
  story: Story;
}

/** Every field of a deposit as it came, the request that brought it, and what is recorded about it. */
export function DepositFacts({ deposit, read, story }: DepositFactsProps) {
  const { requestId } = read;
  const { id, received_amount: amount } = deposit;
  const missed = [...MISSED].filter(([field]) => !Object.hasOwn(deposit, field)).map(([, words]) => words);
  const explored = EXPLORED.flatMap(({ field, kind }) => {
    const value = deposit[field];
    return typeof value === 'string' ? [{ field, kind, value }] : [];
  });
  return (
    <>
      <div className="panel-title">
        <Amount value={amount} asset={deposit.asset?.slice(0, ASSET_MAX)} readBack figure />
        {typeof amount === 'string' && <CopyButton value={amount} label="Copy amount" />}
        <StatusCell status={deposit.status} />
      </div>
      <Facts>
        <Fact label="Id" mono action={<CopyButton value={id} label="Copy id" />}>
          <RawText value={id} max={160} />
        </Fact>
        <Fact label="Created">
          <CreatedAt unix={deposit.created_at} read={read} />
        </Fact>
        <StatusFact of="deposit" status={deposit.status} />
        <Fact label="Asset">
          <Word word={deposit.asset} />
        </Fact>
        <Fact label="Chain">
          <Word word={deposit.chain} />
        </Fact>
        {explored.map(({ field, kind, value }) => (
          <Fact key={field} label={field} mono action={<CopyButton value={value} label={`Copy ${field}`} />}>
            <RawText value={value} max={200} />
            <ExplorerLink chain={deposit.chain} kind={kind} value={value} />
          </Fact>
        ))}
        <OtherFields record={deposit} except={[...STATED, ...explored.map(({ field }) => field)]} />
        {missed.length > 0 && (
          <Fact label="Not stated">
            <span className="sub">{missed.join(', ')}</span>
          </Fact>
        )}
        {requestId !== null && (
          <Fact label="Read by request" mono action={<CopyButton value={requestId} label="Copy request id" />}>
            <RawText value={requestId} max={80} />
          </Fact>
        )}
      </Facts>
      <PaymentNote subject={{ kind: 'deposit', id }} />
      <LocalStory story={story} />
      <div className="acts-row">
        <CaseFileLink pathOf={paths.depositCase} id={id} />
        <LedgerLink of="deposit" id={id} />
      </div>
      <RawJson value={deposit} />
    </>
  );
}

function Word({ word }: { word: string | null }) {
  return word === null ? <span className="dim">not in the answer</span> : <RawText value={word} max={160} />;
}
