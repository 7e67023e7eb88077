import { useWatch } from 'react-hook-form';
import { PATHS } from '#src/api/contract.ts';
import type { Session } from '#src/api/session.ts';
import { amountRule, assetRule, chainRule, ruledName, ruledText } from '#src/lib/fieldRules.ts';
import { chargeRequest } from '#src/lib/operations/charge.ts';
import { faultIn } from '#src/lib/operations/faultIn.ts';
import { StartGuard, StartPage } from '#src/list/sending/StartPage.tsx';
import { useStartForm } from '#src/list/sending/useStartForm.ts';
import { useFieldChoices } from '#src/list/useFieldChoices.ts';
import { Field, inputClass } from '#src/ui/Field.tsx';
import { RequestPreview } from '#src/ui/RequestPreview.tsx';
import { SuggestField } from '#src/ui/SuggestField.tsx';
import { type ChargeFields, chargeBody, readChargeBody } from './chargeBody.ts';

const TITLE = 'New charge';
/** A suffix longer than this would cover what is typed. */
const LONGEST_SUFFIX = 6;

export function Component() {
  return <StartGuard title={TITLE} Form={NewCharge} />;
}

function NewCharge({ session }: { session: Session }) {
  const start = useStartForm<ChargeFields>({
    kind: 'charge',
    session,
    initial: ({ body = '' }) => readChargeBody(body) ?? { asset: '', chain: '', amount: '', further: '' },
    fields: (typed) => ({
      asset: ruledName(assetRule),
      chain: ruledName(chainRule),
      // Exactly as typed.
      amount: ruledText(amountRule),
      further: ruledText(() => furtherRule(typed)),
    }),
    request: (fields) => {
      const made = chargeBody(fields);
      return made.ok ? chargeRequest(made.body) : null;
    },
  });
  const { key, form, sending } = start;
  const { errors } = form.formState;
  const [asset, chain, amount, further] = useWatch({
    control: form.control,
    name: ['asset', 'chain', 'amount', 'further'],
  });
  const code = asset.trim();
  const choices = useFieldChoices(session.account, code);
  const onChange = sending.reset;
  return (
    <StartPage
      start={start}
      title={TITLE}
      until="you create it"
      button="Create charge"
      tall
      aside={<Aside idempotencyKey={key} fields={{ asset: code, chain: chain.trim(), amount, further }} />}
    >
      <div className="grid grid-cols-2 gap-4">
        <SuggestField
          label="Asset"
          error={errors.asset?.message}
          warning={errors.asset ? undefined : choices.warning}
          suggestions={choices.assets}
          input={form.register('asset', { onChange })}
        />
        <SuggestField
          label="Chain"
          error={errors.chain?.message}
          suggestions={choices.chains}
          input={form.register('chain', { onChange })}
        />
      </div>
      <Field label="Amount" error={errors.amount?.message}>
        {(control) => (
          <span className="affix">
            <input
              {...form.register('amount', { onChange })}
              {...control}
              className={inputClass}
              inputMode="decimal"
              autoComplete="off"
              spellCheck={false}
            />
            {code.length <= LONGEST_SUFFIX && <span className="suffix">{code}</span>}
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
            {...form.register('further', { onChange })}
            {...control}
            className={`${inputClass} in-mono`}
            rows={8}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
          />
        )}
      </Field>
    </StartPage>
  );
}

function furtherRule(fields: ChargeFields): true | string {
  const made = chargeBody(fields);
  return made.ok ? (faultIn(chargeRequest(made.body)) ?? true) : made.reason;
}

/** What stands beside the form: exactly the bytes that will be sent, once the fields allow it. */
function Aside({ idempotencyKey, fields }: { idempotencyKey: string; fields: ChargeFields }) {
  const made = chargeBody(fields);
  const isReady = [assetRule(fields.asset), chainRule(fields.chain), amountRule(fields.amount)].every(
    (ruling) => ruling === true,
  );
  return (
    <>
      {made.ok && isReady ? (
        <RequestPreview path={PATHS.charges} idempotencyKey={idempotencyKey} body={made.body} />
      ) : (
        <section>
          <h2>Exactly what will be sent</h2>
          <p className="sub small">
            {made.ok
              ? 'It is shown here as soon as asset, chain and amount can be sent.'
              : 'It is shown here as soon as the further fields are one JSON object.'}
          </p>
        </section>
      )}
      <section>
        <h2>Why a lost answer makes no second charge</h2>
        <p className="sub small">
          The charge is recorded here before it leaves, with one key. If the answer gets lost, the same bytes are sent
          with the same key, and the service creates it once. That holds for 24 hours; this app stops resending after
          23.
        </p>
      </section>
    </>
  );
}
