import type { Balances } from '#src/api/balances.ts';
import { stringifyExact } from '#src/lib/exactJson.ts';
import { Notice } from '#src/ui/Notice.tsx';
import { UntrustedText } from '#src/ui/UntrustedText.tsx';

/** What keeps the list from being the whole truth: paging that broke off, entries that are no balance. */
export function Incomplete({ data }: { data: Balances }) {
  const { broken, malformed } = data;
  return (
    <div className="grid gap-3 px-gutter pb-3 empty:hidden">
      {broken !== null && (
        <Notice tone="open" title="The list may be incomplete.">
          <UntrustedText value={broken} />
        </Notice>
      )}
      {malformed.length > 0 && (
        <Notice
          tone="open"
          title={`${malformed.length} ${malformed.length === 1 ? 'entry is' : 'entries are'} no balance.`}
        >
          The service sent them without an asset code. As they came:{' '}
          <span className="mono">
            <UntrustedText value={stringifyExact(malformed)} max={200} />
          </span>
        </Notice>
      )}
    </div>
  );
}
