import type { Sent } from '#src/lib/operations/kind.ts';
import { RequestPreview } from '#src/ui/RequestPreview.tsx';

/** What stands beside the form: the request, once it can be made, and where a delivery's id comes from. */
export function ReplayAside({ idempotencyKey, request }: { idempotencyKey: string; request: Sent | null }) {
  return (
    <>
      {request && <RequestPreview path={request.path} idempotencyKey={idempotencyKey} body={request.body} />}
      <section>
        <h2>Where the id comes from</h2>
        <p className="sub small">
          The service names each delivery. It states no list of deliveries that could be read, so take the id from what
          your shop received or from the service’s own records.
        </p>
      </section>
      <section>
        <h2>Why a lost answer floods nobody</h2>
        <p className="sub small">
          The replay is recorded here before it leaves, with one key. If the answer gets lost, the same request is sent
          with the same key, and the service replays the delivery once.
        </p>
      </section>
    </>
  );
}
