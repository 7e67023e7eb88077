import { useEffect, useRef, useState } from 'react';
import { type DefaultValues, useForm } from 'react-hook-form';
import { useLocation, useNavigate } from 'react-router';
import { useSession } from '#src/web/api/session.ts';
import { pendingStartsSettled } from '#src/web/api/operations/starts.ts';
import { formValuesIn } from '#src/web/api/operations/startOperation.ts';
import { useSending } from '#src/web/api/operations/useSending.ts';
import { type LocationState, locationState } from '#src/web/storage/locationState.ts';
import type { OperationKind, Sent } from '#src/shared/operations/kind.ts';
import { newKey } from '#src/shared/operations/random.ts';
import { paths } from '#src/shared/paths.ts';
import { forgetDraft, keepDraft, readDraft } from '#src/web/storage/drafts.ts';
import { useSubmit, type FieldSchema, schemaResolver } from './FormFields.tsx';

interface StartFormOf<Values extends Record<string, string>> {
  kind: OperationKind;
  /** What the form starts with; `given`: what was typed before, or what another page hands over. */
  initial: (given: Record<string, string>) => DefaultValues<Values>;
  fields: (typed: Values) => Record<keyof Values, FieldSchema>;
  request: (values: Values) => Sent | null;
  /** Takes the checked values in place of sending them. */
  review?: (values: Values) => void;
  started?: (key: string) => void;
  /** Leaves for an operation's page, which takes the form's place in the history. */
  leave?: (path: string, state?: LocationState) => void;
}

/** Of a form with any fields. */
export type StartState = Omit<ReturnType<typeof useStartForm>, 'form'>;

export function useStartForm<Values extends Record<string, string>>(of: StartFormOf<Values>) {
  const { kind, initial, fields, request, review } = of;
  const { state, key: entry } = useLocation();
  const navigate = useNavigate();
  const session = useSession();
  // The one key of this form, made when it mounts, whatever is edited, reviewed or tried again.
  const [key] = useState(() => newKey());
  const name = `${session.service} ${session.account} ${kind}`;
  const [given] = useState(() => valuesGiven(name, entry, formValuesIn(state)));
  const form = useForm<Values>({
    mode: 'onTouched',
    shouldFocusError: false,
    defaultValues: initial(given),
    resolver: schemaResolver(fields),
  });
  const left = useRef(false);
  const { subscribe, getValues } = form;
  useEffect(() => {
    const keep = () => {
      if (!left.current) keepDraft(name, { entry, values: getValues() });
    };
    keep();
    return subscribe({ formState: { values: true }, callback: keep });
  }, [subscribe, getValues, name, entry]);
  const end = (leaving?: Promise<void>) => {
    left.current = true;
    forgetDraft(name, leaving);
  };
  const replace = (path: string, to?: LocationState) => void navigate(path, { replace: true, state: to ?? null });
  const leave = of.leave ?? replace;
  const sending = useSending(key, session.account, {
    started: (to) => {
      end(Promise.resolve().then(pendingStartsSettled));
      of.started?.(to);
      leave(paths.operation(to));
    },
    existing: (to) => {
      // What was typed waits for that one to be resolved.
      left.current = true;
      leave(paths.operation(to), locationState({ instead: true }));
    },
  });
  const submit = useSubmit(form, (values) => {
    const sent = request(values);
    if (review) review(values);
    else if (sent) sending.send(sent);
  });
  /** Leaves the form for a page, and nothing that was typed comes back. */
  const cancel = (path: string): void => {
    end();
    void navigate(path);
  };
  const isBlank = Object.keys(given).length === 0;
  return { kind, key, form, sending, submit, cancel, isBlank };
}

/** What was typed in this very form before a reload or a look elsewhere, else what another page hands over, else a draft. */
function valuesGiven(name: string, entry: string, handedOver: Record<string, string>): Record<string, string> {
  const draft = readDraft(name);
  if (draft === null) return handedOver;
  return draft.entry === entry || Object.keys(handedOver).length === 0 ? draft.values : handedOver;
}
