import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { LedgerEntryRow } from '#src/api/schemas.ts';
import { paths } from '#src/lib/paths.ts';
import { isSearchText } from '#src/lib/searchParams.ts';
import { OtherFields, RawJson } from '#src/list/OtherFields.tsx';
import { Amount } from '#src/ui/Amount.tsx';
import { CopyButton } from '#src/ui/CopyButton.tsx';
import { Fact, Facts } from '#src/ui/Facts.tsx';
import { RawText } from '#src/ui/RawText.tsx';
import { Time } from '#src/ui/Time.tsx';
import { fieldText, sourceOf } from './entry.ts';
import { SourceLink } from './SourceLink.tsx';

/** Fields that stand in the panel by themselves; the contract states none of them. */
const SHOWN = ['id', 'object', 'type', 'book', 'asset', 'amount', 'created_at'];
/** Beside the amount; the whole code stands among the fields. */
const ASSET_MAX = 24;
/** Every field of a ledger entry as it came. */
export function EntryFacts({ entry, requestId }: { entry: LedgerEntryRow; requestId: string | null }) {
  const source = sourceOf(entry);
  const inSource = source !== null && entry['source'] === source;
  return (
    <>
      <div className="panel-title">
        <Amount value={entry.amount} asset={entry.asset?.slice(0, ASSET_MAX)} readBack figure signed />
        {typeof entry.amount === 'string' && <CopyButton value={entry.amount} label="Copy amount" />}
      </div>
      <Facts>
        <Fact label="Id" mono action={<CopyButton value={entry.id} label="Copy id" />}>
          <RawText value={entry.id} max={160} />
        </Fact>
        <Fact label="Created">
          <Time unix={entry.created_at} age />
        </Fact>
        <Fact label="Type">
          <Word value={entry['type']} />
        </Fact>
        <Fact label="Book">
          <Word value={entry['book']} />
        </Fact>
        <Fact label="Asset">
          <Word value={entry.asset} />
        </Fact>
        <Fact label="Source" mono action={source !== null && <CopyButton value={source} label="Copy source" />}>
          <SourceLink source={source} />
          {inSource && isSearchText(source) && (
            <Link className="small block font-sans" to={paths.ledger(new URLSearchParams({ source }))}>
              All entries of this source
            </Link>
          )}
        </Fact>
        <OtherFields record={entry} except={inSource ? [...SHOWN, 'source'] : SHOWN} />
        {requestId !== null && (
          <Fact label="Read by request" mono action={<CopyButton value={requestId} label="Copy request id" />}>
            <RawText value={requestId} max={80} />
          </Fact>
        )}
      </Facts>
      <RawJson value={entry} />
    </>
  );
}

function Word({ value }: { value: unknown }): ReactNode {
  const text = fieldText(value);
  return text === null ? <span className="dim">not in the answer</span> : <RawText value={text} max={160} />;
}
