// What the team recorded about a payment: the recipient's name, reference, note, and who sent it.
import { authorName } from '#src/shared/author.ts';
import { addressKey, type ChainAddress } from '#src/shared/chains/lookAlike.ts';
import { subjectId, type PaymentNote, type Recipient } from '#src/shared/contract/teamContract.ts';
import { knownResultId, type Operation } from '#src/shared/operations/record.ts';
import { withdrawalFieldsOf } from '#src/shared/operations/withdrawal.ts';

interface FactsInput {
  recipients: readonly Pick<Recipient, 'chain' | 'address' | 'name'>[];
  notes: readonly Pick<PaymentNote, 'kind' | 'id' | 'reference' | 'note'>[];
  /** The withdrawals sent from here. */
  operations: readonly Operation[];
  /** Where withdrawals went, by ID, as the provider says. */
  destinations: ReadonlyMap<string, ChainAddress>;
}

export interface PaymentFact {
  /** The saved name of a withdrawal's destination, else its address. */
  recipient: string;
  reference: string;
  note: string;
  /** The name of the person who sent it from here, marked if it was only typed. */
  person: string;
}

export interface PaymentFacts {
  of: (id: string) => Pick<PaymentFact, 'recipient' | 'reference'>;
  withdrawal: (id: string) => PaymentFact;
}

export function createPaymentFacts({ recipients, notes, operations, destinations }: FactsInput): PaymentFacts {
  const names = new Map(recipients.map((entry) => [addressKey(entry), entry.name]));
  const noteOf = new Map(notes.map((note) => [subjectId(note), note]));
  const byId = new Map<string, Operation>();
  const recordedDestinations = new Map<string, ChainAddress>();
  for (const operation of operations) {
    const id = knownResultId(operation);
    const sent = withdrawalFieldsOf(operation);
    if (id === null || sent === null) continue;
    byId.set(id, operation);
    recordedDestinations.set(id, sent);
  }

  function withdrawal(id: string): PaymentFact {
    const operation = byId.get(id) ?? null;
    const target = destinations.get(id) ?? recordedDestinations.get(id);
    // As on screen: the note of its operation counts until the payment has one of its own.
    const own = noteOf.get(subjectId({ kind: 'withdrawal', id }));
    const note = own ?? (operation && noteOf.get(subjectId({ kind: 'operation', id: operation.key })));
    return {
      recipient: target ? (names.get(addressKey(target)) ?? target.address) : '',
      reference: note?.reference ?? '',
      note: note?.note ?? '',
      person: operation ? authorName(operation) : '',
    };
  }

  return {
    withdrawal,
    of(id) {
      const deposit = noteOf.get(subjectId({ kind: 'deposit', id }));
      if (deposit) return { recipient: '', reference: deposit.reference };
      const { recipient, reference } = withdrawal(id);
      return { recipient, reference };
    },
  };
}
