import { type FormEvent, type MouseEvent, useRef, useState } from 'react';
import { describeError } from '#src/api/errors.ts';
import { signIn } from '#src/api/session.ts';
import { getPreferences, setAccountName, setPreferences } from '#src/storage/preferences.ts';
import { Button } from '#src/ui/Button.tsx';
import { Field, inputClass } from '#src/ui/Field.tsx';
import { type Gateway, moneyOf } from './gateway.ts';
import { SignInError, type SignInFault } from './SignInError.tsx';

/** The form is the only holder of the key: it is read on submit, handed to the gateway, and kept nowhere. */
export function KeyForm({ gateway }: { gateway: Gateway | null }) {
  const keyInput = useRef<HTMLInputElement>(null);
  const [busy, setBusy] = useState<'key' | 'demo' | null>(null);
  const [fault, setFault] = useState<SignInFault | null>(null);

  const finish = async (credentials: { key: string } | { demo: true }, form: FormData, name: string) => {
    setFault(null);
    const ownName = textOf(form.get('own-name')).trim();
    try {
      const session = await signIn({ ...credentials, ...(ownName === '' ? {} : { name: ownName }) });
      setPreferences({ ownName });
      if (name) setAccountName(session.service, session.account, name);
    } catch (error) {
      setFault({ kind: 'refused', words: describeError(error) });
      keyInput.current?.focus();
    } finally {
      setBusy(null);
    }
  };

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (busy) return;
    const form = new FormData(event.currentTarget);
    const key = textOf(form.get('api-key')).trim();
    if (key === '') {
      setFault({ kind: 'empty' });
      keyInput.current?.focus();
      return;
    }
    setBusy('key');
    void finish({ key }, form, textOf(form.get('account-name')));
  };

  const useDemo = ({ currentTarget }: MouseEvent<HTMLButtonElement>) => {
    if (busy) return;
    setBusy('demo');
    void finish({ demo: true }, new FormData(currentTarget.form ?? undefined), '');
  };

  return (
    <form className="form" onSubmit={submit} noValidate>
      {/* Password managers store a pair; the provider is the name that the key belongs to. */}
      <input
        className="vh"
        name="username"
        autoComplete="username"
        value={gateway ? moneyOf(gateway) : 'API key'}
        readOnly
        tabIndex={-1}
        aria-hidden
      />
      <Field
        label="API key"
        error={fault && <SignInError fault={fault} />}
        help="Encrypted on the dashboard’s server until you sign out. This page can’t read it, and no link, log or payment record holds it."
      >
        {(control) => (
          <input
            {...control}
            ref={keyInput}
            className={`${inputClass} in-mono`}
            name="api-key"
            type="password"
            autoComplete="current-password"
            autoCapitalize="off"
            spellCheck={false}
            required
            aria-required
          />
        )}
      </Field>
      <Field label="Account name" hint="(optional)" help="Saved in this browser only.">
        {(control) => (
          <input {...control} className={inputClass} name="account-name" maxLength={60} autoComplete="off" />
        )}
      </Field>
      <Field label="Your name" hint="(optional)" help="Shown to colleagues next to what you do. Not verified.">
        {(control) => (
          <input
            {...control}
            className={inputClass}
            name="own-name"
            defaultValue={getPreferences().ownName}
            maxLength={60}
            autoComplete="name"
          />
        )}
      </Field>
      <div className="acts-row">
        <Button
          type="submit"
          variant="primary"
          disabledReason={busy ? 'Waiting for the provider' : undefined}
          reasonHidden
        >
          Sign in
        </Button>
        {gateway?.sandbox !== false && (
          <Button onClick={useDemo} disabledReason={busy ? 'Waiting for the provider' : undefined} reasonHidden>
            Use the demo key
          </Button>
        )}
        <span className="dim small" aria-live="polite">
          {busy ? 'Checking the key…' : 'We check the key by loading your balances.'}
        </span>
      </div>
    </form>
  );
}

function textOf(value: FormDataEntryValue | null): string {
  return typeof value === 'string' ? value : '';
}
