import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { Sent } from '#src/shared/operations/kind.ts';
import { sameAmount } from '#src/shared/operations/compare.ts';
import { KIND } from '#src/shared/operations/kinds.ts';
import type { OperationView, SameSend } from '#src/shared/contract/gatewayContract.ts';
import { type ReceivedReview, holdsUntil, isFresh, keepView, reviewOperation } from './operations.ts';
import { startOperation } from './startOperation.ts';

interface Asked {
  /** What was asked about; null: nothing yet. */
  sent: Sent | null;
  checking: boolean;
  /** What stands in the way, as last heard; null: not known. */
  reviewed: ReceivedReview | null;
  problem: Error | null;
}

export interface Sending extends Omit<Asked, 'sent'> {
  /** Asks what stands in the way of these bytes; nothing is recorded. */
  review: (sent: Sent) => void;
  /** Sends these bytes under the form's one key; what was not reviewed, or not lately, is reviewed first. */
  send: (sent: Sent) => void;
  /** What a person has to see before they are sent. */
  earlier: readonly SameSend[];
  /** Those among them that may be the same once more, and wait for a person's word. */
  repeats: readonly SameSend[];
  /** A person said that these are meant all the same. */
  confirmed: boolean;
  setConfirmed: (confirmed: boolean) => void;
  /** The form is left for an operation's page, and sends nothing any more. */
  gone: boolean;
  /** Forgets what was asked and answered: other values are other questions. */
  reset: () => void;
}

interface Ways {
  /** The operation's page, before anybody knows what becomes of it. */
  started: (key: string) => void;
  /** An unresolved one holds the place, and nothing new was recorded. */
  existing: (key: string) => void;
}

const NOTHING: Asked = { sent: null, checking: false, reviewed: null, problem: null };
const NONE: ReadonlySet<string> = new Set();

/** Sending under a form's one key: reviewed by the server, started at most once, a second send only where a person said so. */
export function useSending(key: string, account: string, ways: Ways): Sending {
  const client = useQueryClient();
  const [asked, setAsked] = useState(NOTHING);
  const [seen, setSeen] = useState(NONE);
  const turn = useRef(0);
  const busy = useRef(false);
  const left = useRef(false);
  const [gone, setGone] = useState(false);
  const { reviewed } = asked;
  const isConfirmed = (sent: Sent, of: readonly SameSend[]): boolean =>
    repeatsIn(sent, of).every(({ id }) => seen.has(id));

  const leave = (way: (key: string) => void, to: string): void => {
    left.current = true;
    setGone(true);
    way(to);
  };

  const look = async (sent: Sent): Promise<ReceivedReview | null> => {
    turn.current += 1;
    const mine = turn.current;
    setAsked((before) => ({
      sent,
      checking: true,
      reviewed: before.sent?.body === sent.body ? before.reviewed : null,
      problem: null,
    }));
    try {
      const found = await reviewOperation(account, sent);
      if (mine !== turn.current || left.current) return null;
      setAsked({ sent, checking: false, reviewed: found, problem: null });
      if (found.existing === null) return found;
      leave(ways.existing, found.existing);
    } catch (error) {
      const problem = error instanceof Error ? error : new Error(String(error));
      if (mine === turn.current) setAsked({ sent, checking: false, reviewed: null, problem });
    }
    return null;
  };

  const send = async (sent: Sent): Promise<void> => {
    const isKnown = reviewed !== null && asked.sent?.body === sent.body && isFresh(reviewed);
    const found = isKnown ? reviewed : await look(sent);
    if (found === null || !isConfirmed(sent, found.of)) return;
    const { kind, path, body } = sent;
    const request = {
      kind,
      path,
      body,
      second_send_of: found.of.map(({ id }) => id),
      not_after: holdsUntil({ databaseNow: found.now, heard: found.heard }),
    };
    leave(ways.started, key);
    const keep = (view: OperationView) => keepView(client, account, view);
    startOperation({ key, account, request, keep, values: KIND[kind].formOf(sent) ?? {} });
  };

  const { sent: about, ...told } = asked;
  const earlier = reviewed?.of ?? [];
  const repeats = about === null ? earlier : repeatsIn(about, earlier);
  return {
    ...told,
    review: (sent) => void look(sent),
    // Synchronous, before any await: a second click in the same moment finds it set.
    send: (sent) => {
      if (busy.current || left.current) return;
      busy.current = true;
      void send(sent).finally(() => {
        busy.current = false;
      });
    },
    earlier,
    repeats,
    confirmed: repeats.length > 0 && repeats.every(({ id }) => seen.has(id)),
    gone,
    setConfirmed: (confirmed) => setSeen(new Set(confirmed ? repeats.map(({ id }) => id) : [])),
    reset: () => {
      turn.current += 1;
      setAsked(NOTHING);
      setSeen(NONE);
    },
  };
}

/** A payment of another amount to the same place is no repeat of it; whatever cannot be compared may be one. */
function repeatsIn(sent: Sent, of: readonly SameSend[]): readonly SameSend[] {
  const { amount } = KIND[sent.kind].aboutOf(sent);
  const isOther = ({ source, amount: before }: SameSend) =>
    KIND[sent.kind].pays &&
    (source === 'journal' || source === 'service') &&
    amount !== null &&
    before !== null &&
    !sameAmount(before, amount);
  return of.filter((same) => !isOther(same));
}
