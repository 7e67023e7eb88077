import type { PaymentKind } from '#src/shared/operations/paymentHistory.ts';

/** A deposit or a withdrawal as overviews show it; amounts and times as they came. */
export interface Payment {
  kind: PaymentKind;
  id: string;
  status: string | null;
  asset: string | null;
  chain: string | null;
  /** Destination of a withdrawal; a deposit's only if the service sends it. */
  address: string | null;
  amount: unknown;
  fee: unknown;
  created_at?: unknown;
}

type Row = Readonly<Record<string, unknown>> & { id: string };

export function paymentOf(kind: PaymentKind, row: Row): Payment {
  const { id, created_at } = row;
  const word = (name: string) => (typeof row[name] === 'string' ? row[name] : null);
  const isOut = kind === 'withdrawal';
  const address = word('address') ?? (isOut ? null : word('deposit_address'));
  const named = { status: word('status'), asset: word('asset'), chain: word('chain'), address };
  const amount = isOut ? row['amount'] : row['received_amount'];
  return { kind, id, ...named, amount, fee: isOut ? row['fee'] : null, created_at };
}
