import { useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { useLocation, useNavigate } from 'react-router';
import { useSession } from '#src/api/session.ts';
import { paths } from '#src/lib/paths.ts';
import { prefilled } from '#src/lib/prefill.ts';
import { readText } from '#src/lib/searchParams.ts';
import { newKey } from '#src/operations/key.ts';
import { webhookReplayRequest } from '#src/operations/kinds.ts';
import { useOperations } from '#src/operations/useOperations.ts';
import { useSending } from '#src/operations/useSending.ts';
import { Field, inputClass } from '#src/ui/Field.tsx';
import { Notice } from '#src/ui/Notice.tsx';
import { PageHeader } from '#src/ui/PageHeader.tsx';
import { ReadOnlyPage } from '#src/ui/ReadOnlyPage.tsx';
import { StartForm } from '#src/ui/StartForm.tsx';
import { StorageNotice } from '#src/ui/StorageNotice.tsx';
import { deliveryRule, deliveryWarning } from './deliveryRule.ts';
import { EarlierReplays } from './EarlierReplays.tsx';
import { ReplayAside } from './ReplayAside.tsx';

const TITLE = 'Replay a webhook delivery';

export function Component() {
  const session = useSession();
  const { search } = useLocation();
  if (session === null) return null;
  if (session.read_only) return <ReadOnlyPage title={TITLE} />;
  // Keyed, so that another account, or a link to another delivery, gets another form, and another key.
  return <Replay key={`${session.service} ${session.account} ${search}`} />;
}

function Replay() {
  const navigate = useNavigate();
  const { state, search } = useLocation();
  // The one key of this form, whatever is edited or tried again.
  const [key] = useState(() => newKey());
  const asked = readText(new URLSearchParams(search), 'delivery') ?? prefilled(state, 'delivery');
  const form = useForm({ mode: 'onTouched', defaultValues: { delivery: asked } });
  const error = form.formState.errors.delivery?.message;
  const delivery = useWatch({ control: form.control, name: 'delivery' }).trim();
  const { status, reason, mayForget } = useOperations();
  const sending = useSending((id, instead) => {
    void navigate(paths.operation(id), { replace: true, state: instead ? { instead } : null });
  });
  const { earlier, confirmed } = sending;
  return (
    <>
      <PageHeader title={TITLE} asOf={<span>Nothing is recorded or sent until you replay it.</span>} />
      <StartForm
        button="Replay delivery"
        pending={sending.pending}
        off={earlier.length > 0 && !confirmed ? 'Say first that it is to be replayed once more.' : undefined}
        problem={sending.problem}
        errors={[error]}
        onSubmit={form.handleSubmit((fields) =>
          sending.send((secondSendOf) => webhookReplayRequest(key, fields.delivery.trim(), secondSendOf)),
        )}
        before={
          <StorageNotice
            status={status}
            reason={reason}
            mayForget={mayForget}
            refused="No delivery can be replayed from this browser now."
            what="a replay"
          />
        }
        aside={
          <ReplayAside request={deliveryRule(delivery) === true ? webhookReplayRequest(key, delivery, []) : null} />
        }
      >
        <Field
          label="Delivery id"
          help="Such as whd_9fK2mQ8LxV0t. Capitals count."
          error={error}
          warning={error === undefined ? deliveryWarning(delivery) : undefined}
        >
          {(control) => (
            <input
              {...form.register('delivery', { validate: deliveryRule, onChange: sending.reset })}
              {...control}
              className={`${inputClass} in-mono`}
              autoComplete="off"
              autoCapitalize="off"
              spellCheck={false}
            />
          )}
        </Field>
        <Notice tone="open" title="A replay may repeat its effects in the shop.">
          The service sends the event to your shop again. A shop that does not recognise a repeat may credit, ship or
          mail a second time. Replay only what your shop has missed, or what it is safe to hear twice.
        </Notice>
        {earlier.length > 0 && (
          <EarlierReplays earlier={earlier} confirmed={confirmed} onConfirm={sending.setConfirmed} />
        )}
      </StartForm>
    </>
  );
}
