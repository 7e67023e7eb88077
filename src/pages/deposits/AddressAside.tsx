import type { Sent } from '#src/lib/operations/kind.ts';
import { RequestPreview } from '#src/ui/RequestPreview.tsx';

/** What stands beside the form: the request, once it can be made, and what an address of one chain means. */
export function AddressAside({ idempotencyKey, request }: { idempotencyKey: string; request: Sent | null }) {
  return (
    <>
      {request && <RequestPreview path={request.path} idempotencyKey={idempotencyKey} body={request.body} />}
      <section>
        <h2>One address, one chain</h2>
        <p className="sub small">
          The same asset can exist on several chains. What is sent to the address on another chain may be lost for good,
          so pass the address on together with its chain.
        </p>
      </section>
      <section>
        <h2>Why a lost answer makes no second address</h2>
        <p className="sub small">
          The request is recorded here before it leaves, with one key. If the answer gets lost, the same request is sent
          with the same key, and the service answers with the same address.
        </p>
      </section>
    </>
  );
}
