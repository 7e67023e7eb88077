import { createHash } from 'node:crypto';
import { KIND } from '#src/shared/operations/kinds.ts';
import { type OperationRecord, recordedAt } from '#src/shared/operations/record.ts';
import type { Proof } from '#src/shared/contract/proofContract.ts';
import { isProgramFault } from '#src/server/database/sql.ts';
import type { Signature, SignedPayment } from '#src/server/people/signatures.ts';
import { type OperationActor, JournalAway, type Ports } from './ports.ts';

/** Why a payment without its maker's signature is refused. */
export const PASSKEY_NEEDED = 'Payments need your passkey. Reload this page.';

/** What a person signs of a payment: everything that decides what is sent, and on whose behalf. */
export type SignedContent = Pick<
  OperationRecord,
  'service' | 'account' | 'credential' | 'key' | 'path' | 'body' | 'secondSendOf'
> & {
  /** The person's id. */
  maker: string;
  /** Set for a line of a batch. */
  batch?: { id: string; line: number } | undefined;
};

/**
 * SHA-256 in hex. The length of each part is in front of it, so that no two contents have the same bytes. Another part to sign
 * needs another version in the first text: signatures over records of this version must stay valid.
 */
export function contentHashOf(content: SignedContent): string {
  const { service, account, credential, key, path, body, secondSendOf, maker, batch } = content;
  const hash = createHash('sha256');
  const ofBatch = batch === undefined ? ['', ''] : [batch.id, String(batch.line)];
  const parts = [service, account, credential, key, path, body, JSON.stringify(secondSendOf), maker, ...ofBatch];
  for (const part of ['countinghouse withdrawal v1', ...parts]) {
    const bytes = Buffer.from(part);
    hash.update(`${bytes.length}:`).update(bytes);
  }
  return hash.digest('hex');
}

/** In people mode, operations that move money are signed. */
export function isSignedKind({ kind }: Pick<OperationRecord, 'kind'>): boolean {
  return KIND[kind].pays;
}

/** The `signed` field of a record. */
export function signedContentOf(maker: string, record: OperationRecord): NonNullable<OperationRecord['signed']> {
  return { maker, contentHash: contentHashOf({ ...record, maker }) };
}

/** The maker's signature in a request over these payments, or why it doesn't count; null without one. */
export async function signatureOver(
  { checkSignature, service }: Pick<Ports, 'checkSignature' | 'service'>,
  { person, session, account, credential }: OperationActor,
  payments: readonly Pick<SignedContent, 'key' | 'path' | 'body' | 'secondSendOf' | 'batch'>[],
  proof: Proof | undefined,
): Promise<Signature | { fault: string } | null> {
  if (checkSignature === undefined || proof === undefined) return null;
  if (person === null || session === null) return { fault: PASSKEY_NEEDED };
  const common = { service: service.name, account, credential, maker: person };
  const items = payments.map((payment) => contentHashOf({ ...common, ...payment }));
  try {
    return await checkSignature({ person, session }, { decision: 'send', items, seen: [] }, proof);
  } catch (error) {
    if (isProgramFault(error)) throw error;
    throw new JournalAway('The passkey cannot be read.', { cause: error });
  }
}

/** Recomputes the hash from what would be sent; null for an unsigned operation. */
export function signedPaymentOf(record: OperationRecord): SignedPayment | null {
  const { signed, key, account } = record;
  if (signed === undefined) return null;
  return { key, account, ...signedContentOf(signed.maker, record), recordedAt: recordedAt(record).database };
}

/** In people mode: why an unsigned payment can't be sent; null for anything else. */
export function whyNeverSigned(record: Pick<OperationRecord, 'kind' | 'signed'>): string | null {
  return isSignedKind(record) && record.signed === undefined
    ? 'It was recorded before people approved payments, so it can only be checked or closed.'
    : null;
}

/** In key mode: why a signed payment can't be sent; null for an unsigned one. */
export function whySignedBlocksKeyMode({ signed }: Pick<OperationRecord, 'signed'>): string | null {
  return signed === undefined
    ? null
    : 'A person signed it, so it isn’t sent with an API key alone. It can only be checked or closed.';
}
