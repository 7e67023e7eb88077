import { CODE_AUTHENTICATION_ERROR } from '#src/api/contract.ts';
import type { describeError } from '#src/api/errors.ts';
import { UntrustedText } from '#src/ui/UntrustedText.tsx';

export type SignInFault = { kind: 'empty' } | { kind: 'refused'; words: ReturnType<typeof describeError> };

/** Why signing in failed: a wrong key, no provider, or something that is none. */
export function SignInError({ fault }: { fault: SignInFault }) {
  if (fault.kind === 'empty') return 'Enter the API key from your payments provider.';
  const { heading, status, code, message, requestId } = fault.words;
  const wrongKey = status === 401 && code === CODE_AUTHENTICATION_ERROR;
  return (
    <>
      {wrongKey ? (
        'This API key isn’t valid.'
      ) : (
        <OtherFault heading={code === null ? heading : null} message={message} />
      )}{' '}
      {code !== null && (
        <span className="mono">
          <UntrustedText value={code} max={80} />
        </span>
      )}
      {code === null && status !== null && <>Status {status}</>}
      {requestId !== null && (
        <>
          {(code !== null || status !== null) && ', '}request{' '}
          <span className="mono">
            <UntrustedText value={requestId} max={80} />
          </span>
        </>
      )}
    </>
  );
}

function OtherFault({ heading, message }: { heading: string | null; message: string }) {
  return (
    <>
      {heading !== null && `${heading}. `}
      <UntrustedText value={message} max={240} />
    </>
  );
}
