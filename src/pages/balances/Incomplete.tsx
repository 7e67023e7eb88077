import type { Balances } from '#src/api/balances.ts';
import { stringifyExact } from '#src/lib/exactJson.ts';
import { Notice } from '#src/ui/Notice.tsx';
import { UntrustedText } from '#src/ui/UntrustedText.tsx';

/** What keeps the list from being the whole truth: paging that broke off, entries that are no balance. */
export function Incomplete({ data }: { data: Balances }) {
  const { broken, malformed, further } = data;
  return (
    <div className="grid gap-3 px-gutter pb-3 empty:hidden">
      {broken !== null && (
        <Notice tone="open" title="The list may be incomplete.">
          <UntrustedText value={broken} />
        </Notice>
      )}
      {further.length > 0 && (
        <Notice tone="open" title="More than one balance of an asset.">
          The provider lists{' '}
          <UntrustedText value={[...new Set(further.map(({ asset }) => asset))].join(', ')} max={200} /> more than once.
          Each is shown as it came; they are not added up, and everywhere else only the first counts.
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
