import type { UseMutationResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { describeError, outcomeUnknown } from '#src/web/api/errors.ts';
import { PasskeyProblem, passkeysUnsupported } from '#src/web/api/passkeys.ts';
import { Button, type ButtonProps } from '#src/web/ui/Button.tsx';
import { Message } from '#src/web/ui/Field.tsx';
import { UntrustedText } from '#src/web/ui/UntrustedText.tsx';
import { ReloadPage } from './ReloadPage.tsx';

/** For a button that shares its mutation with other buttons, and wasn't the one pressed. */
export const NOT_PRESSED = { isPending: false, error: null, data: undefined };

interface CommandButtonProps extends Pick<
  ButtonProps,
  'variant' | 'size' | 'icon' | 'disabledReason' | 'reasonHidden' | 'type' | 'aria-label'
> {
  mutation: Pick<UseMutationResult<unknown, Error, never>, 'isPending' | 'error' | 'data'>;
  /** Shown while it runs. */
  busy: string;
  /** Absent if it is a form's submit button. */
  onPress?: () => void;
  /** Shown after the person cancelled the browser's dialog. */
  cancelled?: string;
  children: ReactNode;
}

/** A button with its command's result below it. */
export function CommandButton({
  mutation: { isPending, error, data },
  busy,
  onPress,
  cancelled = 'Cancelled. Nothing was changed.',
  disabledReason,
  children,
  ...button
}: CommandButtonProps) {
  const wasCancelled = !isPending && error === null && (data === null || data === false);
  return (
    <div className="grid justify-items-start gap-2">
      <Button {...button} disabledReason={isPending ? busy : disabledReason} onClick={onPress}>
        {children}
      </Button>
      <output className="small sub empty:hidden">{wasCancelled && cancelled}</output>
      {!isPending && error !== null && <CommandFault error={error} />}
    </div>
  );
}

/** A button whose command asks for a passkey. */
export function PasskeyButton({ disabledReason = passkeysUnsupported(), ...button }: Omit<CommandButtonProps, 'busy'>) {
  return <CommandButton {...button} busy="Waiting for your passkey…" disabledReason={disabledReason} />;
}

/** Why a command failed, in one sentence, with the details that support needs. */
export function CommandFault({ error }: { error: Error }) {
  return (
    <div role="alert">
      <Message tone="alarm">
        <FaultText error={error} />
      </Message>
    </div>
  );
}

function FaultText({ error }: { error: Error }) {
  if (error instanceof PasskeyProblem) return error.message;
  const { message, requestId, code, status } = describeError(error);
  const isAnswer = code !== null && status !== null && status < 500;
  return (
    <>
      <UntrustedText value={message} max={240} />
      {outcomeUnknown(error) && ' We don’t know whether this was done. Reload the page to see.'}
      {requestId !== null && !isAnswer && (
        <>
          {' '}
          Request <UntrustedText mono value={requestId} max={80} />
        </>
      )}{' '}
      <ReloadPage error={error} size="small" />
    </>
  );
}
