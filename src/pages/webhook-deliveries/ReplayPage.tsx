import { useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { useLocation } from 'react-router';
import { type Session, useSession } from '#src/api/session.ts';
import { withDraft } from '#src/api/startOperation.ts';
import { newKey } from '#src/lib/operations/key.ts';
import { webhookReplayRequest } from '#src/lib/operations/webhookReplay.ts';
import { paths } from '#src/lib/paths.ts';
import { prefilled } from '#src/lib/prefill.ts';
import { readText } from '#src/lib/searchParams.ts';
import { BeingRecorded, useIsRecording } from '#src/list/sending/BeingRecorded.tsx';
import { CONFIRM_FIRST, SecondSend } from '#src/list/sending/SecondSend.tsx';
import { useFormSending } from '#src/list/sending/useFormSending.ts';
import { Field, inputClass } from '#src/ui/Field.tsx';
import { Notice } from '#src/ui/Notice.tsx';
import { PageHeader } from '#src/ui/PageHeader.tsx';
import { ReadOnlyPage } from '#src/ui/ReadOnlyPage.tsx';
import { StartForm } from '#src/ui/StartForm.tsx';
import { deliveryRule, deliveryWarning } from './deliveryRule.ts';
import { ReplayAside } from './ReplayAside.tsx';

const TITLE = 'Replay a webhook delivery';

export function Component() {
  const session = useSession();
  const { search } = useLocation();
  if (session === null) return null;
  if (session.read_only) return <ReadOnlyPage title={TITLE} />;
  // Keyed, so that another account, or a link to another delivery, gets another form, and another key.
  return <Replay key={`${session.service} ${session.account} ${search}`} session={session} />;
}

function Replay({ session }: { session: Session }) {
  const { state, search } = useLocation();
  // The one key of this form, whatever is edited or tried again.
  const [key] = useState(() => newKey());
  const asked = readText(new URLSearchParams(search), 'delivery') ?? prefilled(withDraft(state), 'delivery');
  const form = useForm({ mode: 'onTouched', defaultValues: { delivery: asked } });
  const error = form.formState.errors.delivery?.message;
  const delivery = useWatch({ control: form.control, name: 'delivery' }).trim();
  const sending = useFormSending(key, session.account);
  const { reviewed, earlier, confirmed } = sending;
  const send = (typed: { delivery: string }) => {
    const values = { delivery: typed.delivery.trim() };
    sending.send(webhookReplayRequest(values.delivery), { path: paths.replayDelivery, values });
  };
  if (useIsRecording(sending.gone)) return <BeingRecorded title={TITLE} />;
  return (
    <>
      <PageHeader title={TITLE} asOf={<span>Nothing is recorded or sent until you replay it.</span>} />
      <StartForm
        button="Replay delivery"
        pending={sending.checking}
        off={earlier.length > 0 && !confirmed ? CONFIRM_FIRST : undefined}
        problem={sending.problem?.message ?? null}
        errors={[error]}
        onSubmit={form.handleSubmit(send)}
        aside={
          <ReplayAside
            idempotencyKey={key}
            request={deliveryRule(delivery) === true ? webhookReplayRequest(delivery) : null}
          />
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
        {reviewed && (
          <SecondSend kind="webhook-replay" review={reviewed} confirmed={confirmed} onConfirm={sending.setConfirmed} />
        )}
      </StartForm>
    </>
  );
}
