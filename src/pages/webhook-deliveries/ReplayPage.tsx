import { useWatch } from 'react-hook-form';
import { useLocation } from 'react-router';
import type { Session } from '#src/api/session.ts';
import { ruledName } from '#src/lib/fieldRules.ts';
import type { Sent } from '#src/lib/operations/kind.ts';
import { webhookReplayRequest } from '#src/lib/operations/webhookReplay.ts';
import { paths } from '#src/lib/paths.ts';
import { readText } from '#src/lib/searchParams.ts';
import { Protected, StartGuard, StartPage } from '#src/list/sending/StartPage.tsx';
import { useStartForm } from '#src/list/sending/useStartForm.ts';
import { Field, inputClass } from '#src/ui/Field.tsx';
import { Notice } from '#src/ui/Notice.tsx';
import { RequestPreview } from '#src/ui/RequestPreview.tsx';
import { deliveryRule, deliveryWarning } from './deliveryRule.ts';

const TITLE = 'Replay a webhook delivery';

export function Component() {
  const { search } = useLocation();
  // A link to another delivery is another form.
  return <StartGuard title={TITLE} Form={Replay} anew={search} />;
}

function Replay({ session }: { session: Session }) {
  const { search } = useLocation();
  const linked = readText(new URLSearchParams(search), 'delivery');
  const start = useStartForm({
    kind: 'webhook-replay',
    session,
    initial: ({ delivery = '' }) => ({ delivery: linked ?? delivery }),
    fields: () => ({ delivery: ruledName(deliveryRule) }),
    request: ({ delivery }) => webhookReplayRequest(delivery),
  });
  const { key, form, sending } = start;
  const error = form.formState.errors.delivery?.message;
  const delivery = useWatch({ control: form.control, name: 'delivery' }).trim();
  const request = deliveryRule(delivery) === true ? webhookReplayRequest(delivery) : null;
  return (
    <StartPage
      start={start}
      title={TITLE}
      button="Replay delivery"
      from={paths.home}
      aside={<Aside idempotencyKey={key} request={request} />}
    >
      <Field
        label="Delivery ID"
        required
        help="e.g. whd_9fK2mQ8LxV0t. Case-sensitive."
        error={error}
        warning={error === undefined ? deliveryWarning(delivery) : undefined}
      >
        {(control) => (
          <input
            {...form.register('delivery', { onChange: sending.reset })}
            {...control}
            className={`${inputClass} in-mono`}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
          />
        )}
      </Field>
      <Notice tone="open" title="Your shop may process the order twice">
        if its webhook handler isn’t idempotent. The provider sends the event again: replay only what your shop missed.
      </Notice>
    </StartPage>
  );
}

/** What stands beside the form: the request, once it can be made, and where a delivery's id comes from. */
function Aside({ idempotencyKey, request }: { idempotencyKey: string; request: Sent | null }) {
  return (
    <>
      {request && <RequestPreview path={request.path} idempotencyKey={idempotencyKey} body={request.body} />}
      <section>
        <h2>Where to find it</h2>
        <p className="sub small">
          The provider names each delivery and offers no list of them. Take the ID from what your shop received, or from
          the provider’s own records.
        </p>
      </section>
      <Protected title="Protected against double delivery">
        The replay is recorded here before it is sent, under one Idempotency-Key. If the response gets lost, a retry
        sends the same request under the same key, and the provider replays the delivery once.
      </Protected>
    </>
  );
}
