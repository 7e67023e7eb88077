import { Reply } from 'lucide-react';
import { useState } from 'react';
import { mailFacts } from '#src/shared/mailFacts.ts';
import { ReplyDialog } from '#src/web/report/ReplyDialog.tsx';
import { type SearchEnd, searchReply } from '#src/web/report/searchReply.ts';
import { useSession } from '#src/web/api/session.ts';
import { accountName, usePreferences } from '#src/web/storage/preferences.ts';
import { utcDate } from '#src/web/report/replyWords.ts';
import { Button } from '#src/web/ui/Button.tsx';
import type { Group } from './options.ts';
import { blockClass, isComplete, unsearchableIn } from './ScanStatus.tsx';
import type { useFind } from './useFind.ts';

type Find = Pick<ReturnType<typeof useFind>, 'wanted' | 'scan' | 'running' | 'error'>;

/** `unknown`: no address was created here to compare with. `fault`: it isn't a valid address. */
export type AddressAnswer = { kind: 'not-ours' } | { kind: 'unknown' } | { kind: 'fault'; words: string };

interface SearchReplyProps {
  text: string;
  find: Find;
  /** Null if the text has no address, or one of this account's. */
  addressAnswer: AddressAnswer | null;
}

/** Offers a reply where the search ended without one certain payment. */
export function SearchReply({ text, find, addressAnswer }: SearchReplyProps) {
  /** The reply as it was opened; null while it is closed. */
  const [reply, setReply] = useState<string | null>(null);
  const { service, account } = useSession();
  const merchant = accountName(usePreferences(), service, account) ?? '';
  const { order, ticket } = mailFacts(text);
  const end = searchEnd(find, addressAnswer, text);
  const open = (of: SearchEnd) => setReply(searchReply(of, utcDate(Date.now() / 1000), { order, ticket, merchant }));
  return (
    <>
      {end !== null && (
        <div className={blockClass}>
          <Button size="small" icon={<Reply className="icon-s" aria-hidden />} onClick={() => open(end)}>
            Reply
          </Button>
        </div>
      )}
      {/* Not inside the condition above: if the search changed, the open dialog would be removed without closing. */}
      {reply !== null && <ReplyDialog title="Reply to the customer" text={reply} onClose={() => setReply(null)} />}
    </>
  );
}

/** Null before the search has ended, after an error, and with one payment: its own page has the reply. */
export function searchEnd(find: Find, addressAnswer: AddressAnswer | null, text: string): SearchEnd | null {
  const { wanted, scan, running, error } = find;
  const isEnded = scan !== null && !running && error === null && isComplete(scan);
  const { exact, amount, days } = wanted;
  const certain = scan?.matches.filter(({ fit }) => fit !== 'near' && fit !== 'other') ?? [];
  const isNoAddressOfOurs = addressAnswer !== null && addressAnswer.kind !== 'unknown';
  if (certain.length === 0 && isNoAddressOfOurs) return { kind: 'not-ours' };
  if (!isEnded || (exact === undefined && amount === undefined)) return null;
  const day = days && days.value.from === days.value.to ? days.value.from : undefined;
  const deposits = certain.filter(({ kind, fit }) => kind === 'deposit' && fit === 'exact');
  if (deposits.length > 1 && deposits.length === certain.length) return { kind: 'several', payments: deposits, day };
  if (certain.length > 0 || unsearchableIn(scan) > 0) return null;
  const { hash } = mailFacts(text);
  const code = amount?.value.asset ?? wanted.asset?.value;
  return {
    kind: 'not-found',
    amount: amount?.value.amount,
    asset: code,
    day,
    hash: hash === '' ? undefined : hash,
    hasAddress: addressAnswer !== null,
  };
}

/** Passes the mail on to the page of a payment that is opened from the results. */
export function withMail(groups: readonly Group[], text: string, { chain, amount }: Find['wanted']): Group[] {
  const mail = { text, ...(chain && { chain: chain.value }), ...(amount && { amount: amount.value }) };
  return groups.map((group) => ({
    ...group,
    options: group.options.map((option) => (option.payment ? { ...option, state: { ...option.state, mail } } : option)),
  }));
}
