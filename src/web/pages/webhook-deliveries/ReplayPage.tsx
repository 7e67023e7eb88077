import { useWatch } from 'react-hook-form';
import { useLocation } from 'react-router';
import { ruledName, type Ruling } from '#src/shared/fieldRules.ts';
import { webhookReplayRequest } from '#src/shared/operations/webhookReplay.ts';
import { isPathParameter, paths } from '#src/shared/paths.ts';
import { readText } from '#src/shared/searchParams.ts';
import { Protected, SendFormGuard, SendFormPage } from '#src/web/send/SendFormPage.tsx';
import { useSendForm } from '#src/web/send/useSendForm.ts';
import { FormText } from '#src/web/send/FormFields.tsx';
import { Notice } from '#src/web/ui/Notice.tsx';
import { RequestPreview } from '#src/web/ui/RequestPreview.tsx';
import { hasInvisible } from '#src/shared/text.ts';

const TITLE = 'Replay a webhook delivery';

export function Component() {
  const { search } = useLocation();
  // A link to another delivery mounts a new form, with a new key.
  return <SendFormGuard key={search} title={TITLE} Form={Replay} />;
}

function Replay() {
  const { search } = useLocation();
  const linked = readText(new URLSearchParams(search), 'delivery');
  const sendForm = useSendForm({
    kind: 'webhook-replay',
    initial: ({ delivery = '' }) => ({ delivery: linked ?? delivery }),
    fields: () => ({ delivery: ruledName(deliveryRule) }),
    request: ({ delivery }) => webhookReplayRequest(delivery),
  });
  const { key, form, duplicates } = sendForm;
  const error = form.formState.errors.delivery?.message;
  const delivery = useWatch({ control: form.control, name: 'delivery' }).trim();
  const request = deliveryRule(delivery) === true ? webhookReplayRequest(delivery) : null;
  return (
    <SendFormPage
      sendForm={sendForm}
      title={TITLE}
      button="Replay delivery"
      from={paths.home}
      aside={
        <>
          {request && <RequestPreview request={request} idempotencyKey={key} />}
          <section>
            <h2>Where to find it</h2>
            <p className="sub small">
              The provider names each delivery and offers no list of them. Take the ID from what your shop received, or
              from the provider’s own records.
            </p>
          </section>
          <Protected against="double delivery" what="The replay" once="replays the delivery once" />
        </>
      }
    >
      <FormText
        label="Delivery ID"
        required
        help="E.g. whd_9fK2mQ8LxV0t. Case-sensitive."
        warning={error === undefined ? deliveryWarning(delivery) : undefined}
        control={form.control}
        name="delivery"
        mono
        onChanged={duplicates.reset}
      />
      <Notice tone="open" title="Your shop may process the order twice">
        if its webhook handler isn’t idempotent. The provider sends the event again: replay only what your shop missed.
      </Notice>
    </SendFormPage>
  );
}

const LONGEST = 200;

/** The rule for a delivery's id. It is lenient because the contract doesn't show the format. */
export function deliveryRule(text: string): Ruling {
  const id = text.trim();
  if (id === '') return 'Enter a delivery ID.';
  if (hasInvisible(id)) return 'It contains an invisible character. Copy the ID again.';
  if (/\s/.test(id)) return 'There is a space in it. Copy the ID alone.';
  if (id.length > LONGEST) return `This is longer than ${LONGEST} characters.`;
  return isPathParameter(id) || 'Enter the ID itself, not a path or an encoded link.';
}

/** A warning for an id that looks like another object's. The id is still accepted. */
export function deliveryWarning(text: string): string | undefined {
  const id = text.trim();
  if (id === '' || id.startsWith('whd_')) return undefined;
  if (id.startsWith('dep_')) return 'This looks like a deposit ID, not a webhook delivery (whd_…).';
  if (id.startsWith('wd_')) return 'This looks like a withdrawal ID, not a webhook delivery (whd_…).';
  return 'Webhook delivery IDs usually start with whd_.';
}
