import { useMutation } from '@tanstack/react-query';
import { useCallback, useRef } from 'react';
import type { PaymentToSign } from '#src/shared/contract/approvalsContract.ts';
import type { Proof } from '#src/shared/contract/proofContract.ts';
import { signPayments } from '#src/web/api/signing.ts';
import { useSession } from '#src/web/api/session.ts';

/** Asks for the person's passkey before a payment is recorded. */
export function useSignature() {
  const session = useSession();
  const newest = useRef(0);
  const { mutateAsync, data, error, isPending } = useMutation({
    mutationFn: (payments: PaymentToSign[]) => signPayments(session, payments),
    gcTime: 0,
  });
  /** Undefined if no signature is needed; null if the person cancelled, signing failed, or they left the form meanwhile. */
  const sign = async (payment: PaymentToSign): Promise<Proof | null | undefined> => {
    newest.current += 1;
    const number = newest.current;
    const proof = await mutateAsync([payment]).catch(() => null);
    return number === newest.current ? proof : null;
  };
  /** Discards a signature that is completed after this. */
  const discardPending = useCallback(() => {
    newest.current += 1;
  }, []);
  return { isPending, wasCancelled: !isPending && data === null, error, sign, discardPending };
}
