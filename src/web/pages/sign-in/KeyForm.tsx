import { type FormEvent, type MouseEvent, useRef, useState } from 'react';
import { ApiError, describeError } from '#src/web/api/errors.ts';
import { type KeyCredentials, signIn } from '#src/web/api/session.ts';
import { getPreferences, setAccountName, setPreferences } from '#src/web/storage/preferences.ts';
import { ReloadPage } from '#src/web/list/ReloadPage.tsx';
import { Button } from '#src/web/ui/Button.tsx';
import { CODE_SAME_ACCOUNT_UNKNOWN } from '#src/shared/contract/gatewayContract.ts';
import { InputField, inputClass } from '#src/web/ui/Field.tsx';
import { CODE_AUTHENTICATION_ERROR } from '#src/shared/contract/contract.ts';
import { UntrustedText } from '#src/web/ui/UntrustedText.tsx';
import { apiKeyFault, withoutInvisible } from '#src/shared/apiKey.ts';
import { textOrNull } from '#src/shared/text.ts';
import { type Gateway, moneyLabel } from './gateway.ts';
import { type KeyQuestion, SameAccountChoice } from './SameAccountChoice.tsx';

/** The key is only in the form field. It is read on submit, sent to the gateway, and never stored. */
export function KeyForm({ gateway }: { gateway: Gateway | null }) {
  const { keyInput, busy, fault, question, submit, answer, dropQuestion, replaceKey, signInWithDemoKey } = useSignIn();
  return (
    <form className="form" onSubmit={submit} noValidate>
      {/* Password managers store a user name with a password: the provider's name serves as one. */}
      <input
        className="vh"
        name="username"
        autoComplete="username"
        value={gateway ? moneyLabel(gateway) : 'API key'}
        readOnly
        tabIndex={-1}
        aria-hidden
      />
      <InputField
        label="API key"
        error={
          fault && (
            <span role="alert">
              <SignInError fault={fault} onReplace={replaceKey} />
            </span>
          )
        }
        help="Stored encrypted on the server side. This page never sees it again."
        ref={keyInput}
        className={`${inputClass} in-mono`}
        name="api-key"
        type="password"
        autoComplete="current-password"
        autoCapitalize="off"
        spellCheck={false}
        required
        aria-required
        onChange={dropQuestion}
      />
      <InputField
        label="Account name"
        hint="(optional)"
        help="Saved in this browser only."
        name="account-name"
        maxLength={60}
      />
      <InputField
        label="Your name"
        hint="(optional)"
        help="Shown to colleagues next to what you do. Not verified."
        name="own-name"
        defaultValue={getPreferences().ownName}
        maxLength={60}
        autoComplete="name"
      />
      {question && <SameAccountChoice question={question} busy={busy} onAnswer={answer} />}
      {/* Hidden while "Join" and "Keep apart" are shown. Typing another key shows "Sign in" again. */}
      {!question?.found && <SignInButtons busy={busy} onDemo={gateway?.sandbox === false ? null : signInWithDemoKey} />}
      {gateway?.sandbox && (
        <p className="dim small">
          To try it as a team of four, each with another role: <code>npm run demo:team</code>
        </p>
      )}
    </form>
  );
}

interface SignInButtonsProps {
  busy: boolean;
  /** Null if there is no demo key. */
  onDemo: ((event: MouseEvent<HTMLButtonElement>) => void) | null;
}

function SignInButtons({ busy, onDemo }: SignInButtonsProps) {
  const disabledReason = busy ? 'Waiting for the provider' : undefined;
  return (
    <div className="acts-row">
      <Button type="submit" variant="primary" disabledReason={disabledReason} reasonHidden>
        Sign in
      </Button>
      {onDemo && (
        <Button onClick={onDemo} disabledReason={disabledReason} reasonHidden>
          Use the demo key
        </Button>
      )}
      <span className="dim small" aria-live="polite">
        {busy ? 'Checking the key…' : 'We check the key by loading your balances.'}
      </span>
    </div>
  );
}

function useSignIn() {
  const keyInput = useRef<HTMLInputElement>(null);
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<SignInFault | null>(null);
  const [question, setQuestion] = useState<KeyQuestion | null>(null);

  const finish = async (credentials: KeyCredentials, form: FormData, name: string) => {
    setBusy(true);
    setFault(null);
    setQuestion(null);
    const ownName = textIn(form, 'own-name').trim();
    try {
      const session = await signIn({ ...credentials, ...(ownName === '' ? {} : { name: ownName }) });
      if (!('service' in session)) {
        setQuestion({ found: session, isDemo: 'demo' in credentials });
        return;
      }
      setPreferences({ ownName });
      if (name) setAccountName(session.service, session.account, name);
    } catch (error) {
      if (error instanceof ApiError && error.code === CODE_SAME_ACCOUNT_UNKNOWN) {
        setQuestion({ found: null, isDemo: 'demo' in credentials });
        return;
      }
      setFault({ kind: 'refused', error });
      keyInput.current?.focus();
    } finally {
      setBusy(false);
    }
  };

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    signInWith(event.currentTarget);
  };

  /** `join`: the answer to the question of SameAccountChoice, if it was asked. */
  const signInWith = (element: HTMLFormElement, join?: string | false) => {
    if (busy) return;
    const form = new FormData(element);
    const key = textIn(form, 'api-key').trim();
    const why = key === '' ? 'Enter the API key from your payments provider.' : apiKeyFault(key);
    if (why !== null) {
      setFault({ kind: 'unusable', why, better: betterKey(key) });
      keyInput.current?.focus();
      return;
    }
    void finish({ key, ...(join === undefined ? {} : { join }) }, form, textIn(form, 'account-name'));
  };

  const replaceKey = (better: string) => {
    if (keyInput.current) keyInput.current.value = better;
    setFault(null);
    keyInput.current?.focus();
  };

  const signInWithDemoKey = ({ currentTarget }: MouseEvent<HTMLButtonElement>) => {
    if (!busy) void finish({ demo: true }, new FormData(currentTarget.form ?? undefined), '');
  };

  const answer = (join: string | false, { form }: HTMLButtonElement) => {
    if (form === null) return;
    if (question?.isDemo !== true) signInWith(form, join);
    else if (!busy) void finish({ demo: true, join }, new FormData(form), '');
  };
  // The question was about the previous key.
  const dropQuestion = () => setQuestion(null);

  return { keyInput, busy, fault, question, submit, answer, dropQuestion, replaceKey, signInWithDemoKey };
}

function textIn(form: FormData, name: string): string {
  return textOrNull(form.get(name)) ?? '';
}

/** The key without invisible characters; null if it is still not valid. */
function betterKey(key: string): string | null {
  const better = withoutInvisible(key);
  return better !== '' && apiKeyFault(better) === null ? better : null;
}

/** `better`: the key that the person probably intended. */
type SignInFault = { kind: 'unusable'; why: string; better: string | null } | { kind: 'refused'; error: unknown };

function SignInError({ fault, onReplace }: { fault: SignInFault; onReplace: (better: string) => void }) {
  if (fault.kind === 'unusable') {
    const { why, better } = fault;
    return (
      <>
        {why}{' '}
        {better !== null && (
          <Button size="small" onClick={() => onReplace(better)}>
            Remove it
          </Button>
        )}
      </>
    );
  }
  const { heading, status, code, message, requestId } = describeError(fault.error);
  const wrongKey = status === 401 && code === CODE_AUTHENTICATION_ERROR;
  return (
    <>
      {wrongKey ? (
        'This API key isn’t valid.'
      ) : (
        <>
          {code === null && `${heading}. `}
          <UntrustedText value={message} max={240} />
        </>
      )}{' '}
      {code !== null && <UntrustedText mono value={code} max={80} />}
      {code === null && status !== null && <>Status {status}</>}
      {requestId !== null && (
        <>
          {(code !== null || status !== null) && ', '}request <UntrustedText mono value={requestId} max={80} />
        </>
      )}{' '}
      <ReloadPage error={fault.error} size="small" />
    </>
  );
}
