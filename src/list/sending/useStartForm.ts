import { useRef, useState } from 'react';
import { type DefaultValues, type UseFormReturn, useForm } from 'react-hook-form';
import { useLocation, useNavigate } from 'react-router';
import { isObject } from '#src/lib/answers.ts';
import type { Session } from '#src/api/session.ts';
import { formValuesIn } from '#src/api/startOperation.ts';
import { type Sending, useSending } from '#src/api/useSending.ts';
import { type LocationState, locationState } from '#src/lib/locationState.ts';
import type { OperationKind, Sent } from '#src/lib/operations/kind.ts';
import { newKey } from '#src/lib/operations/key.ts';
import { paths } from '#src/lib/paths.ts';
import { type FieldSchema, schemaResolver } from './schemaResolver.ts';

interface StartFormOf<Values extends Record<string, string>> {
  kind: OperationKind;
  session: Session;
  /** What the form starts with; `given`: what was typed before, or what another page hands over. */
  initial: (given: Record<string, string>) => DefaultValues<Values>;
  fields: (typed: Values) => Record<keyof Values, FieldSchema>;
  /** The request that the checked values make; null: none. */
  request: (values: Values) => Sent | null;
  /** Takes the checked values in place of sending them. */
  review?: (values: Values) => void;
  /** Leaves for an operation's page, which takes the form's place in the history. */
  leave?: (path: string, state?: LocationState) => void;
}

export interface StartState {
  kind: OperationKind;
  /** The idempotency key. */
  key: string;
  sending: Sending;
  submit: () => void;
  /** What is wrong with the fields, to be announced: the eye finds it beside them. */
  problems: string;
}

interface StartForm<Values extends Record<string, string>> extends StartState {
  form: UseFormReturn<Values>;
}

/** A form that starts an operation under one key. */
export function useStartForm<Values extends Record<string, string>>(of: StartFormOf<Values>): StartForm<Values> {
  const { kind, session, initial, fields, request, review } = of;
  const { state } = useLocation();
  const navigate = useNavigate();
  // The one key of this form, made when it mounts, whatever is edited, reviewed or tried again.
  const [key] = useState(() => newKey());
  const form = useForm<Values>({
    mode: 'onTouched',
    defaultValues: initial(formValuesIn(state)),
    resolver: schemaResolver(fields),
  });
  const replace = (path: string, to?: LocationState) => void navigate(path, { replace: true, state: to ?? null });
  const leave = of.leave ?? replace;
  const sending = useSending(key, session.account, {
    started: (to) => leave(paths.operation(to)),
    existing: (to) => leave(paths.operation(to), locationState({ instead: true })),
  });
  const busy = useRef(false);
  const submit = (): void => {
    // Enter held down: one review, not one for each repeat that waited for a check.
    if (busy.current) return;
    busy.current = true;
    void form
      .handleSubmit((values) => {
        const sent = request(values);
        if (review) review(values);
        else if (sent) sending.send(sent);
      })()
      .finally(() => {
        busy.current = false;
      });
  };
  return { kind, key, form, sending, submit, problems: messagesIn(form.formState.errors) };
}

function messagesIn(errors: object): string {
  return Object.values(errors)
    .flatMap((error: unknown) => (isObject(error) && typeof error['message'] === 'string' ? [error['message']] : []))
    .join(' ');
}
