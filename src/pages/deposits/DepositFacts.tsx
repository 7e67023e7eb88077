import type { Meta } from '#src/api/read.ts';
import type { DepositRow } from '#src/api/schemas.ts';
import { age, formatFull, isPlausibleTime, zoneName } from '#src/lib/time.ts';
import { OtherFields, RawJson } from '#src/list/OtherFields.tsx';
import { StatusCell } from '#src/list/StatusCell.tsx';
import { Amount } from '#src/ui/Amount.tsx';
import { CopyButton } from '#src/ui/CopyButton.tsx';
import { Fact, Facts } from '#src/ui/Facts.tsx';
import { RawText } from '#src/ui/RawText.tsx';
import { Time } from '#src/ui/Time.tsx';
import { type ReadClocks, useNowByService } from '#src/ui/useNowByService.ts';
import { useZone } from '#src/ui/zone.tsx';

/** Fields that stand in the panel by themselves (2.3). */
const STATED = ['id', 'object', 'status', 'asset', 'chain', 'received_amount', 'created_at'];
/** Fields that one would look for and that the contract does not state; they are named when absent. */
const MISSED = new Map([
  ['address', 'deposit address'],
  ['tx_hash', 'transaction hash'],
]);

/** Beside the amount; the whole code stands among the fields. */
const ASSET_MAX = 24;

/** Every field of a deposit as it came, and the request that brought it. */
export function DepositFacts({ deposit, read }: { deposit: DepositRow; read: Meta }) {
  const { requestId } = read;
  const { id, received_amount: amount } = deposit;
  const missed = [...MISSED].filter(([field]) => !Object.hasOwn(deposit, field)).map(([, words]) => words);
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
          <Created unix={deposit.created_at} read={read} />
        </Fact>
        <Fact label="Status" mono>
          <Word word={deposit.status} />
        </Fact>
        <Fact label="Asset">
          <Word word={deposit.asset} />
        </Fact>
        <Fact label="Chain">
          <Word word={deposit.chain} />
        </Fact>
        <OtherFields record={deposit} except={STATED} />
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
      <RawJson value={deposit} />
    </>
  );
}

function Word({ word }: { word: string | null }) {
  return word === null ? <span className="dim">not in the answer</span> : <RawText value={word} max={160} />;
}

function Created({ unix, read }: { unix: unknown; read: ReadClocks }) {
  const zone = useZone();
  const now = useNowByService(read);
  if (!isPlausibleTime(unix)) return <Time unix={unix} />;
  return (
    <>
      {formatFull(unix, zone)}
      <span className="dim small block">
        {age(unix, now)}
        {zoneName('local') !== 'UTC' && `; ${formatFull(unix, zone === 'utc' ? 'local' : 'utc')}`}; Unix {unix}
      </span>
    </>
  );
}
