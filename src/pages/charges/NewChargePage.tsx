import { useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { useLocation } from 'react-router';
import { type Session, useSession } from '#src/api/session.ts';
import { withDraft } from '#src/api/startOperation.ts';
import { amountRule, assetRule, chainRule } from '#src/lib/fieldRules.ts';
import { chargeRequest } from '#src/lib/operations/charge.ts';
import { newKey } from '#src/lib/operations/key.ts';
import { faultIn } from '#src/lib/operations/kinds.ts';
import { paths } from '#src/lib/paths.ts';
import { useFieldChoices } from '#src/list/useFieldChoices.ts';
import { Field, inputClass } from '#src/ui/Field.tsx';
import { PageHeader } from '#src/ui/PageHeader.tsx';
import { ReadOnlyPage } from '#src/ui/ReadOnlyPage.tsx';
import { StartForm } from '#src/ui/StartForm.tsx';
import { SuggestField } from '#src/ui/SuggestField.tsx';
import { BeingRecorded, useIsRecording } from '#src/list/sending/BeingRecorded.tsx';
import { CONFIRM_FIRST, SecondSend } from '#src/list/sending/SecondSend.tsx';
import { useFormSending } from '#src/list/sending/useFormSending.ts';
import { ChargeAside } from './ChargeAside.tsx';
import { type ChargeFields, chargeBody, prefillOf } from './chargeBody.ts';

const TITLE = 'New charge';
/** A suffix longer than this would cover what is typed. */
const LONGEST_SUFFIX = 6;

export function Component() {
  const session = useSession();
  if (session === null) return null;
  if (session.read_only) return <ReadOnlyPage title={TITLE} />;
  // Keyed, so that another account gets another form, and another key.
  return <NewCharge key={`${session.service} ${session.account}`} session={session} />;
}

function NewCharge({ session }: { session: Session }) {
  const { state } = useLocation();
  // The one key of this form, whatever is edited or tried again.
  const [key] = useState(() => newKey());
  const form = useForm<ChargeFields>({ mode: 'onTouched', defaultValues: prefillOf(withDraft(state)) });
  const { errors } = form.formState;
  const [asset, chain, amount, further] = useWatch({
    control: form.control,
    name: ['asset', 'chain', 'amount', 'further'],
  });
  const choices = useFieldChoices(session.account, asset.trim());
  const sending = useFormSending(key, session.account);
  const { reviewed, earlier, confirmed } = sending;
  const send = (fields: ChargeFields) => {
    const made = chargeBody(named(fields));
    if (!made.ok) return;
    const { body } = made;
    sending.send(chargeRequest(body), { path: paths.newCharge, values: { body } });
  };
  if (useIsRecording(sending.gone)) return <BeingRecorded title={TITLE} />;
  return (
    <>
      <PageHeader title={TITLE} asOf={<span>Nothing is recorded or sent until you create it.</span>} />
      <StartForm
        button="Create charge"
        tall
        pending={sending.checking}
        off={earlier.length > 0 && !confirmed ? CONFIRM_FIRST : undefined}
        problem={sending.problem?.message ?? null}
        errors={[errors.asset, errors.chain, errors.amount, errors.further].map((error) => error?.message)}
        onSubmit={form.handleSubmit(send)}
        aside={<ChargeAside idempotencyKey={key} fields={named({ asset, chain, amount, further })} />}
      >
        <div className="pair">
          <SuggestField
            label="Asset"
            error={errors.asset?.message}
            warning={errors.asset ? undefined : choices.warning}
            suggestions={choices.assets}
            input={form.register('asset', { validate: assetRule, onChange: sending.reset })}
          />
          <SuggestField
            label="Chain"
            error={errors.chain?.message}
            suggestions={choices.chains}
            input={form.register('chain', { validate: chainRule, onChange: sending.reset })}
          />
        </div>
        <Field label="Amount" error={errors.amount?.message}>
          {(control) => (
            <span className="affix">
              <input
                {...form.register('amount', { validate: amountRule, onChange: sending.reset })}
                {...control}
                className={inputClass}
                inputMode="decimal"
                autoComplete="off"
                spellCheck={false}
              />
              {asset.trim().length <= LONGEST_SUFFIX && <span className="suffix">{asset.trim()}</span>}
            </span>
          )}
        </Field>
        <Field
          label="Further fields"
          hint="(optional, as one JSON object)"
          error={errors.further?.message}
          help={
            <>
              The service decides which fields a charge has. Such as{' '}
              <code className="mono">{'{"order_id": "A-1042"}'}</code>. Sent exactly as typed, numbers too.
            </>
          }
        >
          {(control) => (
            <textarea
              {...form.register('further', { validate: (_, fields) => furtherRule(fields), onChange: sending.reset })}
              {...control}
              className={`${inputClass} in-mono`}
              rows={8}
              autoComplete="off"
              autoCapitalize="off"
              spellCheck={false}
            />
          )}
        </Field>
        {reviewed && (
          <SecondSend kind="charge" review={reviewed} confirmed={confirmed} onConfirm={sending.setConfirmed} />
        )}
      </StartForm>
    </>
  );
}

/** Names without the spaces around them; amount and JSON exactly as typed. */
function named(fields: ChargeFields): ChargeFields {
  return { ...fields, asset: fields.asset.trim(), chain: fields.chain.trim() };
}

function furtherRule(fields: ChargeFields): true | string {
  const made = chargeBody(fields);
  return made.ok ? (faultIn(chargeRequest(made.body)) ?? true) : made.reason;
}
