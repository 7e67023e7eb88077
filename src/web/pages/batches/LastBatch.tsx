import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { memo } from 'react';
import { Link } from 'react-router';
import { batchDifference, type RecipientDifference } from '#src/shared/batches/batchDifference.ts';
import type { ReviewedPayment } from '#src/shared/batches/unusual.ts';
import { readWithdrawalBody } from '#src/shared/operations/withdrawal.ts';
import { paths } from '#src/shared/paths.ts';
import { counted, numberWords } from '#src/shared/text.ts';
import { batchPages, batchQuery } from '#src/web/api/batches.ts';
import { useSession } from '#src/web/api/session.ts';
import { Amount } from '#src/web/ui/Amount.tsx';
import { ShortTime } from '#src/web/ui/Time.tsx';
import { UntrustedText } from '#src/web/ui/UntrustedText.tsx';

/** The differences from the account's last batch: new and missing recipients, and changed amounts. */
export const LastBatch = memo(function LastBatch({ payments }: { payments: readonly ReviewedPayment[] }) {
  const { account } = useSession();
  const { data: pages } = useInfiniteQuery({ ...batchPages(account), refetchInterval: false });
  const last = pages?.pages[0]?.data.find(({ state }) => state !== 'waiting');
  const { data } = useQuery({
    ...batchQuery(account, last?.id ?? ''),
    enabled: last !== undefined,
    staleTime: Infinity,
    refetchInterval: false,
  });
  if (!last || !data) return null;
  const before = data.lines.flatMap(({ body, recipient, state }) => {
    const fields = state === 'not-sent' ? null : readWithdrawalBody(body);
    return fields === null ? [] : [{ recipient, fields }];
  });
  const differences = batchDifference(payments, before);
  const link = (
    <Link to={paths.batch(last.id)} target="_blank" rel="noopener noreferrer">
      batch of <ShortTime unix={Math.floor(last.at / 1000)} />
    </Link>
  );
  if (differences.length === 0) return <p className="sub">The same recipients and amounts as in the last {link}.</p>;
  return (
    <details>
      <summary>Compared with the last batch: {differenceWords(differences)}</summary>
      <p className="sub small pt-2">The {link}, by recipient and asset.</p>
      <ul className="grid gap-1 pt-2" aria-label="Differences from the last batch">
        {differences.map((difference) => (
          <li key={`${difference.who} ${difference.asset} ${difference.before} ${difference.now}`}>
            <Difference of={difference} />
          </li>
        ))}
      </ul>
    </details>
  );
});

function differenceWords(differences: readonly RecipientDifference[]): string {
  const count = (is: (of: RecipientDifference) => boolean): number => differences.filter(is).length;
  const added = count(({ before }) => before === null);
  const missing = count(({ now }) => now === null);
  const changed = differences.length - added - missing;
  return [
    added > 0 && counted(added, 'new recipient', 'new recipients'),
    missing > 0 && `${numberWords(missing)} missing`,
    changed > 0 && `${numberWords(changed)} changed`,
  ]
    .filter((part) => part !== false)
    .join(', ');
}

function Difference({ of: { who, asset, before, now, isOtherAddress } }: { of: RecipientDifference }) {
  return (
    <>
      <b>
        <UntrustedText value={who} max={80} />
      </b>{' '}
      {now === null && 'is missing: was '}
      {before === null && 'is new: '}
      {before !== null && <Amount value={before} asset={asset} flow />}
      {before !== null && now !== null && ' → '}
      {now !== null && <Amount value={now} asset={asset} flow />}
      {isOtherAddress && <span className="text-open">, to another address</span>}
    </>
  );
}
