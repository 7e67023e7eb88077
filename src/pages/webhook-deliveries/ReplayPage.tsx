import { useWatch } from 'react-hook-form';
import { useLocation } from 'react-router';
import type { Session } from '#src/api/session.ts';
import { ruledName } from '#src/lib/fieldRules.ts';
import type { Sent } from '#src/lib/operations/kind.ts';
import { webhookReplayRequest } from '#src/lib/operations/webhookReplay.ts';
import { readText } from '#src/lib/searchParams.ts';
import { StartGuard, StartPage } from '#src/list/sending/StartPage.tsx';
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
      until="you replay it"
      button="Replay delivery"
      aside={<Aside idempotencyKey={key} request={request} />}
    >
      <Field
        label="Delivery id"
        help="Such as whd_9fK2mQ8LxV0t. Capitals count."
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
      <Notice tone="open" title="A replay may repeat its effects in the shop.">
        The service sends the event to your shop again. A shop that does not recognise a repeat may credit, ship or mail
        a second time. Replay only what your shop has missed, or what it is safe to hear twice.
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
