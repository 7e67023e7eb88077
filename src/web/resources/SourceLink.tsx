import { Link } from 'react-router';
import type { LedgerEntryRow } from '#src/shared/contract/rows.ts';
import { revealHidden } from '#src/shared/text.ts';
import { Amount } from '#src/web/ui/Amount.tsx';
import { UntrustedText, ShortId } from '#src/web/ui/UntrustedText.tsx';
import { sourcePath } from '#src/shared/ledgerSource.ts';

interface SourceLinkProps {
  source: string | null;
  /** Show only the start and the end of the ID, for a row. */
  short?: boolean;
}

export function SourceLink({ source, short = false }: SourceLinkProps) {
  if (source === null) return short ? <WordCell word={null} /> : <span className="dim">not in the response</span>;
  const path = sourcePath(source);
  if (path === null) return short ? <ShortId value={source} /> : <UntrustedText value={source} max={160} />;
  return (
    <Link to={path} className={short ? 'id other-link' : undefined}>
      {short ? <ShortId value={source} /> : <UntrustedText value={source} max={160} brief />}
    </Link>
  );
}

interface SwapWordsProps {
  out: LedgerEntryRow;
  in: LedgerEntryRow;
  className?: string;
}

/** "Swap: −500 USDT to +0.5 BTC, not on a chain" */
export function SwapWords({ out, in: into, className }: SwapWordsProps) {
  return (
    <span className={className}>
      Swap: <Amount value={out.amount} asset={out.asset ?? undefined} flow signed /> to{' '}
      <Amount value={into.amount} asset={into.asset ?? undefined} flow signed />, not on a chain
    </span>
  );
}

/** A word from the service, such as a chain, unchanged. Only the column's width clips it. */
export function WordCell({ word }: { word: string | null }) {
  if (word === null) return <span className="dim">not given</span>;
  return (
    <bdi className="clip" {...(word.length > 12 ? { 'data-tip': word } : {})}>
      {revealHidden(word.slice(0, 80))}
    </bdi>
  );
}
